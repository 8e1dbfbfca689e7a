-- A French café: names with accents and blanks in them, and spelling whose case is not to be trusted.

CREATE TABLE "menu item" (
  "item id" INTEGER PRIMARY KEY,
  "Item Name" TEXT NOT NULL UNIQUE,
  category TEXT NOT NULL,
  "price eur" REAL NOT NULL,
  "is vegan" INTEGER NOT NULL,
  description TEXT
);

CREATE TABLE supplier (
  supplier_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  city TEXT NOT NULL,
  contact TEXT
);

CREATE TABLE supplies (
  "item id" INTEGER NOT NULL REFERENCES "menu item" ("item id"),
  supplier_id INTEGER NOT NULL REFERENCES supplier (supplier_id),
  PRIMARY KEY ("item id", supplier_id)
);

CREATE TABLE review (
  review_id INTEGER PRIMARY KEY,
  "item id" INTEGER NOT NULL REFERENCES "menu item" ("item id"),
  guest TEXT NOT NULL,
  stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
  comment TEXT,
  "written on" TEXT NOT NULL
);

INSERT INTO "menu item" VALUES
  (1, 'Crème brûlée', 'dessert', 5.5, 0, 'Vanilla custard, burnt sugar'),
  (2, 'Éclair au café', 'pastry', 3.2, 0, 'Choux, coffee cream'),
  (3, 'Espresso', 'drink', 2.0, 1, NULL),
  (4, 'Café au lait', 'drink', 3.0, 0, 'Coffee, warm milk'),
  (5, 'Croissant', 'pastry', 1.8, 0, 'Butter, and more butter'),
  (6, 'Pain au chocolat', 'pastry', 2.4, 0, 'Dark chocolate'),
  (7, 'Thé à la menthe', 'drink', 2.8, 1, 'Mint tea'),
  (8, 'Tarte aux pommes', 'dessert', 4.5, 0, 'Apple tart, served warm'),
  (9, 'Soupe à l''oignon', 'starter', 6.5, 0, 'Onion, gruyère'),
  (10, 'Salade niçoise', 'starter', 8.0, 0, 'Tuna, olives, egg'),
  (11, 'Ratatouille', 'main', 9.5, 1, 'Aubergine, courgette, tomato'),
  (12, 'Quiche Lorraine', 'main', 8.0, 0, 'Bacon, cream'),
  (13, 'sorbet citron', 'dessert', 2.8, 1, NULL),
  (14, 'Jus d''orange', 'drink', 3.0, 1, 'Pressed to order');

INSERT INTO supplier VALUES
  (1, 'Maison Lefèvre', 'Lyon', 'Anne Roux'),
  (2, 'Les Deux Fours', 'Lyon', NULL),
  (3, 'Brûlerie du Port', 'Marseille', 'Karim Haddad'),
  (4, 'Jardins Bleus', 'Besançon', 'Anne Roux'),
  (5, 'LAITERIE DU VAL', 'Besançon', 'Zoé Petit'),
  (6, 'Au Bon Thé', 'Nice', NULL),
  (7, 'Moulin Noir', 'lyon', 'Mia');

-- Nobody supplies the orange juice, and Moulin Noir supplies nothing yet.
INSERT INTO supplies VALUES
  (1, 2), (1, 5), (2, 2), (2, 3), (3, 3), (4, 3), (4, 5), (5, 1), (5, 2), (6, 1), (6, 2), (7, 6),
  (8, 1), (9, 4), (9, 5), (10, 4), (11, 4), (12, 1), (12, 5), (13, 4);

INSERT INTO review VALUES
  (1, 1, 'Léa', 5, 'Parfait !', '2025-04-01'),
  (2, 1, 'Tom', 4, 'Sweet', '2025-04-03'),
  (3, 1, 'Mia', 5, NULL, '2025-04-03'),
  (4, 2, 'Léa', 3, 'A bit dry', '2025-04-04'),
  (5, 3, 'Tom', 5, 'Strong, as it should be', '2025-04-04'),
  (6, 3, 'tom', 4, NULL, '2025-04-11'),
  (7, 5, 'Noé', 5, 'Best croissant in town', '2025-04-11'),
  (8, 5, 'Mia', 5, 'BUTTER!', '2025-04-12'),
  (9, 5, 'Ole', 2, 'too much butter', '2025-04-12'),
  (10, 6, 'Noé', 4, NULL, '2025-04-15'),
  (11, 8, 'Ada', 3, 'Fine', '2025-04-15'),
  (12, 9, 'Tom', 4, 'Warming', '2025-04-20'),
  (13, 10, 'Ada', 2, 'Small', '2025-04-21'),
  (14, 11, 'Léa', 4, 'Bien', '2025-04-25'),
  (15, 11, 'Ines', 5, 'The best', '2025-04-27'),
  (16, 12, 'Ole', 1, NULL, '2025-04-27'),
  (17, 12, 'Ines', 3, 'OK', '2025-04-28'),
  (18, 4, 'Ada', 4, 'good coffee', '2025-04-30');
