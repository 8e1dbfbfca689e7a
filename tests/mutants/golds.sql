SELECT name FROM ship

SELECT DISTINCT kind FROM ship

SELECT ALL kind, tons FROM ship WHERE tons > 500

SELECT * FROM port

SELECT s.* FROM ship AS s WHERE s.built < 1900

SELECT count(*) FROM ship

SELECT COUNT(DISTINCT kind) FROM ship WHERE length >= 30.5

SELECT count(ALL kind) FROM ship

SELECT name, tons FROM ship ORDER BY tons DESC LIMIT 3

SELECT name FROM ship ORDER BY kind, tons DESC, name LIMIT 2, 5

SELECT name FROM ship ORDER BY 1

SELECT name FROM ship ORDER BY tons ASC NULLS LAST LIMIT 1 OFFSET 2

SELECT kind, COUNT(*) FROM ship GROUP BY kind

SELECT kind, built, AVG(tons) AS mean FROM ship GROUP BY kind, built HAVING AVG(tons) > 100 AND COUNT(*) > 2 ORDER BY mean

SELECT kind FROM ship GROUP BY kind ORDER BY COUNT(*) DESC LIMIT 1

SELECT kind FROM ship GROUP BY kind HAVING count(*) >= 2

SELECT T1.name, T2.name FROM ship AS T1 JOIN port AS T2 ON T1.port_id = T2.id

SELECT T1.name FROM ship T1 INNER JOIN captain T2 ON T1.captain_id = T2.id WHERE T2.rank = 'master'

SELECT T1.name FROM ship AS T1 LEFT OUTER JOIN voyage AS T2 ON T1.id = T2.ship_id AND T2.days > 10 WHERE T2.id IS NULL

SELECT count(*) FROM ship JOIN port ON ship.port_id = port.id JOIN voyage ON voyage.ship_id = ship.id

SELECT name FROM port JOIN voyage ON port.id = voyage.to_port

SELECT a.name FROM ship a, ship b WHERE a.kind = b.kind AND a.tons < b.tons

SELECT name FROM ship NATURAL JOIN boat

SELECT name, length FROM ship JOIN boat USING (name, length)

SELECT x.name FROM (ship AS x JOIN port AS y ON x.port_id = y.id) WHERE y.depth > 4

SELECT T1.name FROM captain AS T1 JOIN captain AS T2 ON T1.mentor = T2.id WHERE T2.salary > T1.salary

SELECT s.name FROM port AS p RIGHT JOIN ship AS s ON s.port_id = p.id FULL JOIN captain AS c ON c.id = s.captain_id

SELECT name FROM ship WHERE id IN (SELECT ship_id FROM voyage WHERE days > 30)

SELECT name FROM ship WHERE id NOT IN (SELECT ship_id FROM voyage)

SELECT name FROM ship WHERE kind IN ('brig', 'barque') AND built NOT IN (1850, 1851)

SELECT name FROM ship WHERE tons = (SELECT max(tons) FROM ship)

SELECT name FROM ship WHERE port_id = (SELECT id FROM port WHERE name = 'Hull')

SELECT name FROM ship WHERE EXISTS (SELECT 1 FROM voyage WHERE voyage.ship_id = ship.id AND days > 5)

SELECT name FROM port AS p WHERE NOT EXISTS (SELECT * FROM voyage WHERE to_port = p.id)

SELECT name FROM ship AS s WHERE tons > (SELECT avg(tons) FROM ship WHERE kind = s.kind)

SELECT name FROM ship UNION SELECT name FROM boat

SELECT name FROM ship UNION ALL SELECT name FROM boat ORDER BY name LIMIT 4

SELECT name FROM ship EXCEPT SELECT name FROM boat

SELECT name FROM ship WHERE tons > 3 INTERSECT SELECT name FROM boat EXCEPT SELECT name FROM port

WITH big AS (SELECT id, name, tons FROM ship WHERE tons > 900) SELECT big.name FROM big JOIN voyage ON voyage.ship_id = big.id WHERE big.tons < 2000

WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT sum(i) FROM n

SELECT kind, total FROM (SELECT kind, sum(tons) AS total, min(built) AS first FROM ship GROUP BY kind) WHERE total > 40 AND first < 1900

SELECT q.kind FROM (SELECT kind, length FROM ship) AS q WHERE q.length BETWEEN 10 AND 20

SELECT name FROM ship WHERE (kind = 'brig' OR kind = 'barque') AND NOT tons < 100

SELECT name FROM ship WHERE kind = 'brig' OR kind = 'barque' AND tons >= 100 OR built <> 1850

SELECT name FROM ship WHERE NOT (tons > 5 AND built = 1900) AND kind != 'brig' AND built == 1901

SELECT name FROM ship WHERE tons > 1 AND built > 2 AND length > 3.0 AND port_id > 4

SELECT name FROM ship WHERE tons BETWEEN 100 AND 200 AND built NOT BETWEEN 1800 AND 1850

SELECT name FROM ship WHERE name LIKE '%maid%' AND kind NOT LIKE 'b%' OR name LIKE "Q_een"

SELECT name FROM ship WHERE name LIKE '10!%%' ESCAPE '!' AND kind GLOB 'B*'

SELECT name FROM port WHERE country IS NULL OR opened IS NOT NULL AND depth NOTNULL

SELECT name FROM port WHERE is_free IS 1 AND country IS NOT 'Chile' AND depth IS NOT DISTINCT FROM 3

SELECT name FROM port WHERE country = "Chile" AND "Home Waters" = "Pacific"

SELECT `Home Waters` FROM port WHERE [Home Waters] <> 'North Sea' AND `name` > 'A'

SELECT tons * 1.0 / built, tons + built * 2 - 3 FROM ship WHERE tons % 2 = 0

SELECT (tons + built) * 2 FROM ship WHERE tons - (built - 3) > 0 AND -tons < - 5

SELECT name FROM ship WHERE tons > -5 AND length<-0.5 AND built =-0 AND tons -5 > 1e3

SELECT tons-built, tons--5
, built FROM ship WHERE "length">.5 AND built<>0x1F

SELECT name FROM ship WHERE +id = '1' AND ~tons < 3 AND kind || name = 'ab'

SELECT CAST(tons AS REAL) / built, CAST(tons + 1 AS TEXT) FROM ship WHERE CAST(built AS NUMERIC) > 2 * CAST(length AS INT)

SELECT SUM(CASE WHEN kind = 'brig' THEN 1 ELSE 0 END), COUNT(CASE WHEN tons > 3 THEN id END) FROM ship

SELECT CASE kind WHEN 'brig' THEN 'b' WHEN 'barque' THEN 'q' ELSE NULL END, IIF(tons > 9, tons, 0) FROM ship

SELECT SUM(IIF(kind = 'brig', 1, 0)) * 100.0 / COUNT(*) FROM ship

SELECT name FROM port WHERE strftime('%Y', opened) = '1850' AND strftime("%m", opened) < '06'

SELECT SUBSTR(opened, 1, 4), round(depth, 2), coalesce(country, 'none') FROM port WHERE length(name) > 4

SELECT name, rank() OVER (PARTITION BY kind ORDER BY tons DESC) FROM ship

SELECT sum(tons) OVER w, avg(tons) FILTER (WHERE tons > 3) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM ship WINDOW w AS (ORDER BY built)

SELECT count(*) FILTER (WHERE tons > 5 AND built < 1900) FROM ship

SELECT group_concat(name, ', ' ORDER BY tons DESC) FROM ship

SELECT c.goods, sum(c.tons * c.price) FROM cargo AS c JOIN voyage AS v ON c.voyage_id = v.id WHERE v.left_on > '1850-01-01' GROUP BY c.goods

SELECT c.goods FROM ship AS s JOIN voyage AS v ON s.id = v.ship_id JOIN cargo AS c ON c.voyage_id = v.id WHERE s.name = 'Heron' AND c.line = 1

SELECT p.name FROM voyage AS v JOIN port AS p ON v.from_port = p.id JOIN port AS q ON v.to_port = q.id WHERE q.country = 'Chile' AND p.country <> q.country

SELECT  name ,  kind  FROM ship  WHERE tons  >  56   ORDER  BY  built

select name/* its name */,kind from ship -- all of them
where tons=3 or(kind='brig')and built>2 order by name collate nocase desc;

SELECT(name),(kind)FROM(SELECT name,kind FROM ship)WHERE(name)>'a'AND(kind)IN('x','y')

SELECT name 'the name', tons "weight" FROM ship WHERE weight > 3

SELECT name AS kind, kind AS sort FROM ship ORDER BY kind, sort

SELECT main.ship.name, ship.rowid FROM main.ship WHERE ship.rowid > 3

SELECT name FROM ship NOT INDEXED WHERE tons > 3

SELECT name FROM ship WHERE (kind, tons) IN (SELECT kind, max(tons) FROM ship GROUP BY kind) AND (built, tons) > (1850, 3)

SELECT name FROM ship WHERE tons > :least AND built < $built AND kind = :kind

SELECT name FROM ship WHERE name = 'Zürich' OR name = 'it''s' OR kind = "a ""b"""

SELECT 1 = 2, NULL, x'ab', TRUE, CURRENT_DATE, 'a' || 'b'

SELECT json_extract(note, '$.a'), note ->> '$.b' FROM voyage WHERE days >= 2

VALUES (1, 'a'), (2, 'b')

SELECT name FROM ship WHERE built > 1800 + (SELECT count(*) FROM port WHERE depth > 3) AND id = 5 GROUP BY name, kind LIMIT 5 - 2

SELECT max(tons, built), min(tons), total(length) FROM ship WHERE id IN (SELECT id FROM boat WHERE boat.kind = ship.kind OR boat.name = ship.name)

SELECT tons-built*-length, -tons*-3 FROM ship WHERE tons BETWEEN built BETWEEN 1 AND 2 AND 5

SELECT name FROM ship WHERE name LIKE kind > 'a' OR built BETWEEN 1 AND 2 IN (0, 1) OR tons > 3 IS NULL
