-- SP2Bench 5a: who wrote an article and, by the name, a paper of a conference
SELECT DISTINCT author.object AS person, named.object AS name
FROM triples AS article
  JOIN triples AS author ON author.subject = article.subject AND author.predicate = '<http://purl.org/dc/elements/1.1/creator>'
  JOIN triples AS named ON named.subject = author.object AND named.predicate = '<http://xmlns.com/foaf/0.1/name>'
  JOIN triples AS other ON other.object = named.object AND other.predicate = '<http://xmlns.com/foaf/0.1/name>'
  JOIN triples AS other_author ON other_author.object = other.subject AND other_author.predicate = '<http://purl.org/dc/elements/1.1/creator>'
  JOIN triples AS inproc ON inproc.subject = other_author.subject AND inproc.predicate = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>'
WHERE article.predicate = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>'
  AND article.object = '<http://localhost/vocabulary/bench/Article>'
  AND inproc.object = '<http://localhost/vocabulary/bench/Inproceedings>'
