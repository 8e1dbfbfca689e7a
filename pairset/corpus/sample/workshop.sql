-- A workshop and its people, where everyone but the founder has a manager among the others.

CREATE TABLE department (
  department_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  floor INTEGER
);

CREATE TABLE employee (
  employee_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  badge TEXT NOT NULL UNIQUE,
  department_id INTEGER REFERENCES department (department_id),
  manager_id INTEGER REFERENCES employee (employee_id),
  hired_on TEXT NOT NULL,
  hourly_pay REAL
);

CREATE TABLE project (
  project_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  budget INTEGER,
  started_on TEXT NOT NULL,
  closed_on TEXT
);

CREATE TABLE work_log (
  employee_id INTEGER NOT NULL,
  project_id INTEGER NOT NULL,
  hours REAL NOT NULL,
  PRIMARY KEY (employee_id, project_id),
  FOREIGN KEY (employee_id) REFERENCES employee (employee_id),
  FOREIGN KEY (project_id) REFERENCES project (project_id)
);

-- The archive has no staff, and no floor of its own.
INSERT INTO department VALUES
  (1, 'Joinery', 1),
  (2, 'Metalwork', 1),
  (3, 'Design', 2),
  (4, 'Sales', 2),
  (5, 'Archive', NULL);

-- Zara earns more than her manager; what Paula earns is still being talked about.
INSERT INTO employee VALUES
  (1, 'Rosa Blank', 'W01', NULL, NULL, '2010-04-01', 48.0),
  (2, 'Ivan Petrov', 'W02', 1, 1, '2012-09-10', 32.5),
  (3, 'Mei Tan', 'W03', 3, 1, '2013-02-01', 36.0),
  (4, 'Samuel Orr', 'W04', 4, 1, '2015-07-20', 30.0),
  (5, 'Nadia Haq', 'W05', 2, 2, '2016-01-11', 27.5),
  (6, 'Tomas Ruiz', 'W06', 1, 2, '2018-03-05', 24.0),
  (7, 'Lily Grant', 'W07', 1, 2, '2019-01-01', 22.0),
  (8, 'Bo Larsen', 'W08', 2, 5, '2020-06-15', 22.0),
  (9, 'Zara Khan', 'W09', 3, 3, '2017-05-08', 38.0),
  (10, 'Otis Green', 'W10', 3, 3, '2021-11-22', 26.0),
  (11, 'Paula Stein', 'W11', 4, 4, '2022-02-14', NULL),
  (12, 'Kofi Mensah', 'W12', 4, 4, '2023-08-30', 30.0),
  (13, 'Jun Park', 'W13', 1, 6, '2024-01-15', 18.0);

INSERT INTO project VALUES
  (1, 'Oak staircase', 12000, '2024-01-10', '2024-05-30'),
  (2, 'Steel gate', 8000, '2024-02-01', '2024-04-15'),
  (3, 'Library shelves', 15500, '2024-06-01', NULL),
  (4, 'Garden bench', 1500, '2024-06-20', '2024-07-05'),
  (5, 'Shop front', 20000, '2024-09-01', NULL),
  (6, 'Catalogue', NULL, '2024-10-01', NULL),
  (7, 'Spiral stairs', 12000, '2025-01-15', NULL);

INSERT INTO work_log VALUES
  (2, 1, 60.0), (6, 1, 120.0), (7, 1, 80.0), (9, 1, 25.0),
  (5, 2, 90.0), (8, 2, 110.0),
  (6, 3, 40.0), (7, 3, 75.5), (10, 3, 30.0), (13, 3, 75.5),
  (7, 4, 18.0), (13, 4, 22.0),
  (2, 5, 35.0), (3, 5, 12.0), (5, 5, 48.0), (9, 5, 64.0),
  (9, 6, 40.0), (10, 6, 55.0), (11, 6, 20.0);
