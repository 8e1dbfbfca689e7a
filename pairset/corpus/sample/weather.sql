-- Nine weather stations and one stormy week: measurements with decimals, some of them missing.

CREATE TABLE station (
  station_id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  region TEXT NOT NULL,
  elevation_m INTEGER,
  opened_year INTEGER NOT NULL
);

CREATE TABLE sensor (
  sensor_id INTEGER PRIMARY KEY,
  station_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  serial_no TEXT NOT NULL UNIQUE,
  accuracy REAL,
  FOREIGN KEY (station_id) REFERENCES station (station_id)
);

CREATE TABLE reading (
  station_id INTEGER NOT NULL,
  day TEXT NOT NULL,
  temperature_c REAL,
  rain_mm REAL,
  wind_kmh REAL,
  PRIMARY KEY (station_id, day),
  FOREIGN KEY (station_id) REFERENCES station (station_id)
);

-- Inverlow has never sent a reading, and nobody has measured how high it stands.
INSERT INTO station VALUES
  (1, 'HAR', 'Harrow Point', 'Coast', 12, 1998),
  (2, 'BEL', 'Bellmoor', 'North', 500, 2003),
  (3, 'CRG', 'Cragfoot', 'Hills', 1250, 1987),
  (4, 'DUN', 'Dunmere', 'South', 85, 2011),
  (5, 'ELD', 'Eldwick', 'Hills', 980, 2003),
  (6, 'FEN', 'Fenwater', 'South', 3, 1987),
  (7, 'GAL', 'Galehead', 'Coast', 47, 2016),
  (8, 'INV', 'Inverlow', 'North', NULL, 2021),
  (9, 'KES', 'Kestrel Tarn', 'Hills', 1250, 2016);

INSERT INTO sensor VALUES
  (1, 1, 'thermometer', 'HP-T1', 0.2),
  (2, 1, 'rain gauge', 'HP-R1', 0.5),
  (3, 1, 'anemometer', 'HP-W1', 1.5),
  (4, 2, 'thermometer', 'BM-T1', 0.1),
  (5, 2, 'rain gauge', 'BM-R1', NULL),
  (6, 3, 'thermometer', 'CF-T1', 0.5),
  (7, 3, 'thermometer', 'CF-T2', 0.2),
  (8, 3, 'rain gauge', 'CF-R1', 0.2),
  (9, 3, 'anemometer', 'CF-W1', 2.0),
  (10, 4, 'thermometer', 'DM-T1', 0.2),
  (11, 5, 'thermometer', 'EW-T1', 0.5),
  (12, 5, 'anemometer', 'EW-W1', 1.5),
  (13, 6, 'thermometer', 'FW-T1', NULL),
  (14, 6, 'rain gauge', 'FW-R1', 0.5),
  (15, 7, 'anemometer', 'GH-W1', 1.0),
  (16, 7, 'thermometer', 'GH-T1', 0.2);

-- Values on the line are on purpose: 0.0 degrees, 10.0 mm of rain, 50.0 km/h of wind.
INSERT INTO reading VALUES
  (1, '2025-03-01', 8.5, 0.0, 42.0),
  (1, '2025-03-02', 7.0, 12.4, 61.5),
  (1, '2025-03-03', 6.5, 10.0, 64.0),
  (1, '2025-03-04', 9.0, 0.0, 48.0),
  (1, '2025-03-05', 9.0, 2.2, NULL),
  (2, '2025-03-01', 1.5, 3.0, 20.0),
  (2, '2025-03-02', 0.0, 8.6, 33.5),
  (2, '2025-03-03', -2.5, 0.0, 18.0),
  (2, '2025-03-04', -4.0, NULL, 22.0),
  (2, '2025-03-05', 0.5, 1.2, 25.0),
  (3, '2025-03-01', -3.0, 14.5, 72.0),
  (3, '2025-03-02', -5.5, 10.0, 88.5),
  (3, '2025-03-03', -6.0, 22.0, 50.0),
  (3, '2025-03-04', NULL, NULL, 95.0),
  (3, '2025-03-05', -1.0, 11.2, 49.5),
  (4, '2025-03-01', 11.0, 0.0, 12.0),
  (4, '2025-03-02', 12.5, 0.4, 15.0),
  (4, '2025-03-03', 10.0, 5.0, 21.0),
  (4, '2025-03-04', 13.5, 0.0, 9.5),
  (4, '2025-03-05', 12.5, 0.0, 11.0),
  (5, '2025-03-01', -1.0, 6.0, 45.0),
  (5, '2025-03-02', 0.0, 9.8, 52.0),
  (5, '2025-03-03', -2.0, 14.5, 50.0),
  (5, '2025-03-04', -0.5, 0.0, 31.0),
  (5, '2025-03-05', 1.0, NULL, NULL),
  (6, '2025-03-01', 10.5, 0.0, 18.0),
  (6, '2025-03-02', 11.0, 1.6, 24.0),
  (6, '2025-03-03', 9.5, 10.0, 30.0),
  (6, '2025-03-04', 12.0, 0.0, 14.0),
  (6, '2025-03-05', NULL, NULL, NULL),
  (7, '2025-03-01', 8.0, 5.0, 55.0),
  (7, '2025-03-02', 6.0, 18.2, 97.0),
  (7, '2025-03-03', 6.5, 7.5, 64.0),
  (7, '2025-03-04', 7.5, 0.0, 41.0),
  (7, '2025-03-05', 8.0, 0.8, 36.5),
  (9, '2025-03-04', -7.5, 2.0, 60.0),
  (9, '2025-03-05', -6.0, 4.4, 58.0);
