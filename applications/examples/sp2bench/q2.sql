-- SP2Bench 2: papers of conferences with all that is known of them, and abstracts where there are some, by year
SELECT inproc.subject AS inproc, creator.object AS creator, booktitle.object AS booktitle, title.object AS title, proc.object AS proc, ee.object AS ee, page.object AS page, url.object AS url, yr.object AS yr, abstract.object AS abstract
FROM triples AS inproc
  JOIN triples AS creator ON creator.subject = inproc.subject AND creator.predicate = '<http://purl.org/dc/elements/1.1/creator>'
  JOIN triples AS booktitle ON booktitle.subject = inproc.subject AND booktitle.predicate = '<http://localhost/vocabulary/bench/booktitle>'
  JOIN triples AS title ON title.subject = inproc.subject AND title.predicate = '<http://purl.org/dc/elements/1.1/title>'
  JOIN triples AS proc ON proc.subject = inproc.subject AND proc.predicate = '<http://purl.org/dc/terms/partOf>'
  JOIN triples AS ee ON ee.subject = inproc.subject AND ee.predicate = '<http://www.w3.org/2000/01/rdf-schema#seeAlso>'
  JOIN triples AS page ON page.subject = inproc.subject AND page.predicate = '<http://swrc.ontoware.org/ontology#pages>'
  JOIN triples AS url ON url.subject = inproc.subject AND url.predicate = '<http://xmlns.com/foaf/0.1/homepage>'
  JOIN triples AS yr ON yr.subject = inproc.subject AND yr.predicate = '<http://purl.org/dc/terms/issued>'
  LEFT JOIN triples AS abstract ON abstract.subject = inproc.subject AND abstract.predicate = '<http://localhost/vocabulary/bench/abstract>'
WHERE inproc.predicate = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>'
  AND inproc.object = '<http://localhost/vocabulary/bench/Inproceedings>'
ORDER BY yr
