-- A film festival: films and people meet in a link table, with a job to each meeting.

CREATE TABLE film (
  film_id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  year INTEGER NOT NULL,
  country TEXT NOT NULL,
  language TEXT NOT NULL,
  minutes INTEGER
);

CREATE TABLE person (
  person_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  country TEXT NOT NULL,
  born_year INTEGER
);

CREATE TABLE credit (
  film_id INTEGER NOT NULL,
  person_id INTEGER NOT NULL,
  job TEXT NOT NULL,
  PRIMARY KEY (film_id, person_id, job),
  FOREIGN KEY (film_id) REFERENCES film (film_id),
  FOREIGN KEY (person_id) REFERENCES person (person_id)
);

CREATE TABLE cinema (
  cinema_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  district TEXT NOT NULL,
  seats INTEGER
);

CREATE TABLE screening (
  screening_id INTEGER PRIMARY KEY,
  film_id INTEGER NOT NULL REFERENCES film (film_id),
  cinema_id INTEGER NOT NULL REFERENCES cinema (cinema_id),
  starts_at TEXT NOT NULL,
  tickets INTEGER,
  UNIQUE (cinema_id, starts_at)
);

CREATE TABLE award (
  award_id INTEGER PRIMARY KEY,
  prize TEXT NOT NULL,
  film_id INTEGER NOT NULL REFERENCES film (film_id),
  person_id INTEGER REFERENCES person (person_id),
  won INTEGER NOT NULL
);

-- How long Last Orchard runs is not known yet; Echoes was withdrawn before its screening.
INSERT INTO film VALUES
  (1, 'The Quiet Harbour', 2019, 'Norway', 'Norwegian', 104),
  (2, 'Paper Lanterns', 2021, 'Japan', 'Japanese', 88),
  (3, 'Two Winters', 2021, 'Finland', 'Finnish', 121),
  (4, 'Dust Road', 2018, 'Mexico', 'Spanish', 97),
  (5, 'The Long Table', 2022, 'France', 'French', 132),
  (6, 'Night Bus', 2020, 'Mexico', 'Spanish', 88),
  (7, 'Blue Meridian', 2021, 'France', 'French', 115),
  (8, 'A Letter Home', 2019, 'Ireland', 'English', 76),
  (9, 'Salt and Snow', 2023, 'Norway', 'Norwegian', 121),
  (10, 'Last Orchard', 2023, 'Spain', 'Spanish', NULL),
  (11, 'Echoes', 2020, 'Ireland', 'English', 95);

INSERT INTO person VALUES
  (1, 'Ingrid Solberg', 'Norway', 1971),
  (2, 'Kenji Mori', 'Japan', 1985),
  (3, 'Aino Virta', 'Finland', 1979),
  (4, 'Lucía Ramos', 'Mexico', 1968),
  (5, 'Claire Dubois', 'France', 1990),
  (6, 'Mateo Cruz', 'Mexico', 1985),
  (7, 'Siobhan Kelly', 'Ireland', NULL),
  (8, 'Erik Dahl', 'Norway', 1971),
  (9, 'Hana Sato', 'Japan', 1994),
  (10, 'Pablo Vega', 'Spain', 1982),
  (11, 'Noor Amari', 'France', 1990),
  (12, 'Owen Byrne', 'Ireland', 1959);

INSERT INTO credit VALUES
  (1, 1, 'director'), (1, 1, 'writer'), (1, 8, 'actor'),
  (2, 2, 'director'), (2, 9, 'actor'),
  (3, 3, 'director'), (3, 3, 'writer'), (3, 8, 'actor'),
  (4, 4, 'director'), (4, 4, 'writer'), (4, 6, 'actor'),
  (5, 5, 'director'), (5, 10, 'actor'), (5, 11, 'actor'),
  (6, 4, 'writer'), (6, 6, 'actor'), (6, 6, 'director'),
  (7, 5, 'director'), (7, 11, 'actor'), (7, 11, 'director'),
  (8, 7, 'director'), (8, 7, 'writer'),
  (9, 1, 'director'), (9, 8, 'actor'), (9, 9, 'actor'),
  (10, 5, 'writer'), (10, 10, 'director'),
  (11, 7, 'director');

INSERT INTO cinema VALUES
  (1, 'Roxy', 'Old Town', 220),
  (2, 'Lumen', 'Harbour', 120),
  (3, 'Odeon', 'Old Town', 220),
  (4, 'Studio 9', 'Hill', 45),
  (5, 'Garden Screen', 'Park', NULL);

-- The tickets of two screenings have not been counted.
INSERT INTO screening VALUES
  (1, 1, 1, '2025-06-10 18:00', 180),
  (2, 1, 2, '2025-06-11 20:30', 120),
  (3, 2, 2, '2025-06-10 20:30', 95),
  (4, 3, 1, '2025-06-10 21:00', 201),
  (5, 3, 4, '2025-06-12 18:00', 45),
  (6, 4, 3, '2025-06-11 18:00', 60),
  (7, 5, 3, '2025-06-11 20:30', 220),
  (8, 5, 1, '2025-06-13 19:00', 150),
  (9, 6, 4, '2025-06-12 21:00', 31),
  (10, 7, 1, '2025-06-12 20:00', NULL),
  (11, 7, 2, '2025-06-13 18:00', 88),
  (12, 8, 2, '2025-06-12 18:00', 88),
  (13, 9, 3, '2025-06-13 21:00', 175),
  (14, 9, 1, '2025-06-14 20:00', NULL),
  (15, 10, 4, '2025-06-14 18:00', 40),
  (16, 2, 4, '2025-06-14 21:00', 45),
  (17, 3, 3, '2025-06-14 16:00', 60),
  (18, 8, 2, '2025-06-14 16:00', 101);

INSERT INTO award VALUES
  (1, 'Best Film', 3, NULL, 1),
  (2, 'Best Film', 5, NULL, 0),
  (3, 'Best Film', 9, NULL, 0),
  (4, 'Best Director', 1, 1, 0),
  (5, 'Best Director', 5, 5, 1),
  (6, 'Best Actor', 9, 8, 1),
  (7, 'Best Actor', 2, 9, 0),
  (8, 'Best Script', 4, 4, 1),
  (9, 'Best Script', 6, 4, 0),
  (10, 'Best Script', 8, 7, 0);
