-- SP2Bench 1: the year in which a journal appeared
SELECT issued.object AS yr
FROM triples AS journal
  JOIN triples AS title ON title.subject = journal.subject AND title.predicate = '<http://purl.org/dc/elements/1.1/title>'
  JOIN triples AS issued ON issued.subject = journal.subject AND issued.predicate = '<http://purl.org/dc/terms/issued>'
WHERE journal.predicate = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>'
  AND journal.object = '<http://localhost/vocabulary/bench/Journal>'
  AND title.object = '"Journal 1 (1940)"'
