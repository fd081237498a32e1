-- SP2Bench 3c: articles with a property, none
SELECT article.subject AS article
FROM triples AS article
  JOIN triples AS property ON property.subject = article.subject AND property.predicate = '<http://swrc.ontoware.org/ontology#isbn>'
WHERE article.predicate = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>'
  AND article.object = '<http://localhost/vocabulary/bench/Article>'
