-- A town library: dates as ISO texts, and NULL for what has not happened yet.

CREATE TABLE member (
  member_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  card_no TEXT NOT NULL UNIQUE,
  town TEXT,
  joined_on TEXT NOT NULL,
  left_on TEXT
);

CREATE TABLE book (
  book_id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  author TEXT NOT NULL,
  category TEXT NOT NULL,
  published_year INTEGER,
  isbn TEXT NOT NULL UNIQUE
);

CREATE TABLE loan (
  loan_id INTEGER PRIMARY KEY,
  book_id INTEGER NOT NULL REFERENCES book (book_id),
  member_id INTEGER NOT NULL REFERENCES member (member_id),
  loaned_on TEXT NOT NULL,
  due_on TEXT NOT NULL,
  returned_on TEXT
);

CREATE TABLE fine (
  fine_id INTEGER PRIMARY KEY,
  loan_id INTEGER NOT NULL UNIQUE REFERENCES loan (loan_id),
  amount REAL NOT NULL,
  paid_on TEXT
);

-- Ines and Jonas have never borrowed a book; two members joined on the same day.
INSERT INTO member VALUES
  (1, 'Ada Novak', 'L-1001', 'Riverton', '2021-03-15', NULL),
  (2, 'Bruno Keller', 'L-1002', 'Riverton', '2022-09-01', '2024-12-31'),
  (3, 'Chidi Obi', 'L-1003', 'Ashby', '2023-01-10', NULL),
  (4, 'Dana Whitlock', 'L-1004', 'Ashby', '2023-01-10', NULL),
  (5, 'Elif Demir', 'L-1005', 'Millford', '2023-11-20', NULL),
  (6, 'Femi Ade', 'L-1006', 'Riverton', '2024-01-01', NULL),
  (7, 'Greta Lind', 'L-1007', 'Millford', '2024-05-05', '2025-02-28'),
  (8, 'Hugo Sand', 'L-1008', NULL, '2024-06-18', NULL),
  (9, 'Ines Prado', 'L-1009', 'Ashby', '2025-01-07', NULL),
  (10, 'Jonas Weir', 'L-1010', 'Riverton', '2025-02-14', NULL);

INSERT INTO book VALUES
  (1, 'The Salt Road', 'Mira Aldane', 'history', 1998, '900-0-01'),
  (2, 'Tides and Time', 'Owen Frost', 'science', 2011, '900-0-02'),
  (3, 'A Room of Rain', 'Lena Moss', 'poetry', 2005, '900-0-03'),
  (4, 'Bridges', 'Owen Frost', 'history', 2018, '900-0-04'),
  (5, 'Night Trains', 'Paul Ferrer', 'novel', 2018, '900-0-05'),
  (6, 'The Glass Orchard', 'Lena Moss', 'novel', 2021, '900-0-06'),
  (7, 'Small Stars', 'Yuki Arai', 'poetry', NULL, '900-0-07'),
  (8, 'Counting Birds', 'Mira Aldane', 'science', 1984, '900-0-08'),
  (9, 'The Last Ferry', 'Paul Ferrer', 'novel', 2009, '900-0-09'),
  (10, 'Harbour Songs', 'Yuki Arai', 'poetry', 1998, '900-0-10'),
  (11, 'Maps of Nowhere', 'Mira Aldane', 'travel', 2015, '900-0-11'),
  (12, 'Weights and Measures', 'Ida Holm', 'science', NULL, '900-0-12');

-- Three loans came back on the very day they were due; two were for four weeks.
INSERT INTO loan VALUES
  (1, 1, 1, '2024-11-02', '2024-11-16', '2024-11-15'),
  (2, 5, 1, '2024-12-20', '2025-01-03', '2025-01-03'),
  (3, 6, 3, '2025-01-05', '2025-01-19', '2025-01-25'),
  (4, 1, 2, '2024-12-01', '2024-12-15', '2024-12-30'),
  (5, 3, 5, '2025-01-10', '2025-01-24', '2025-01-20'),
  (6, 9, 5, '2025-01-14', '2025-01-28', '2025-02-10'),
  (7, 6, 6, '2025-01-28', '2025-02-11', '2025-02-11'),
  (8, 2, 3, '2025-02-01', '2025-02-15', '2025-02-14'),
  (9, 4, 7, '2025-02-03', '2025-02-17', NULL),
  (10, 7, 4, '2025-02-10', '2025-03-10', '2025-03-01'),
  (11, 1, 5, '2025-02-14', '2025-02-28', '2025-03-02'),
  (12, 5, 8, '2025-02-20', '2025-03-06', '2025-03-05'),
  (13, 6, 1, '2025-02-28', '2025-03-14', '2025-03-20'),
  (14, 10, 8, '2025-03-01', '2025-03-15', NULL),
  (15, 8, 3, '2025-03-03', '2025-03-31', '2025-03-28'),
  (16, 4, 1, '2025-03-05', '2025-03-19', NULL),
  (17, 9, 6, '2025-03-07', '2025-03-21', '2025-03-21'),
  (18, 1, 8, '2025-03-10', '2025-03-24', NULL),
  (19, 3, 6, '2025-03-12', '2025-03-26', '2025-03-18'),
  (20, 6, 5, '2025-03-15', '2025-03-29', NULL),
  (21, 6, 3, '2025-03-15', '2025-03-29', '2025-03-22');

INSERT INTO fine VALUES
  (1, 3, 1.5, '2025-01-25'),
  (2, 4, 3.75, NULL),
  (3, 6, 3.25, '2025-02-12'),
  (4, 11, 0.5, NULL),
  (5, 13, 1.5, '2025-03-20'),
  (6, 9, 5.0, NULL);
