-- SP2Bench 9: what leads to persons and what leads away from them
SELECT incoming.predicate AS predicate
FROM triples AS person JOIN triples AS incoming ON incoming.object = person.subject
WHERE person.predicate = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>' AND person.object = '<http://xmlns.com/foaf/0.1/Person>'
UNION
SELECT outgoing.predicate AS predicate
FROM triples AS person JOIN triples AS outgoing ON outgoing.subject = person.subject
WHERE person.predicate = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>' AND person.object = '<http://xmlns.com/foaf/0.1/Person>'
