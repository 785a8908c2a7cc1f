-- The journal and what is written with it. A record is never changed: what is wrong is put right by another record.

CREATE TABLE journal (
    -- One row for each accepted command. `body` is what is hashed; the other columns are copies to search by.
    stream  INTEGER NOT NULL,   -- a table; 0 is the floor
    seq     INTEGER NOT NULL,   -- 1, 2, 3 and so on in each stream, without a gap
    at_ms   INTEGER NOT NULL,   -- since 1970
    command TEXT,               -- the asker's id for it; NULL for what the house did by itself
    actor   TEXT NOT NULL,
    body    BLOB NOT NULL,      -- JSON; the view `event` opens it
    digest  BLOB NOT NULL,      -- SHA-256 over the digest of the record before and `body`
    PRIMARY KEY (stream, seq)
) STRICT;  -- with a rowid: rows this long would make a tree of keys deep, and each append would rewrite its neighbours

CREATE UNIQUE INDEX journal_command ON journal (stream, command) WHERE command IS NOT NULL;

CREATE TABLE move (
    -- Cents that a record moved from one account to another; the view `balance` adds them up.
    stream  INTEGER NOT NULL,
    seq     INTEGER NOT NULL,
    source  TEXT NOT NULL,
    target  TEXT NOT NULL,
    cents   INTEGER NOT NULL,
    PRIMARY KEY (stream, seq, source, target)
) STRICT, WITHOUT ROWID;

CREATE TABLE claim (
    -- Keys that nobody else may take, and the record that took each.
    claim   TEXT PRIMARY KEY NOT NULL,
    stream  INTEGER NOT NULL,
    seq     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX claim_record ON claim (stream, seq);

CREATE TABLE shared (
    -- What an account that tables share has gained at each of them. A row for each table, so that none waits.
    account TEXT NOT NULL,
    stream  INTEGER NOT NULL,
    cents   INTEGER NOT NULL,
    PRIMARY KEY (account, stream)
) STRICT, WITHOUT ROWID;

CREATE TABLE head (
    -- Where each stream ends, and who may go on. An append moves it only under the latest epoch.
    stream      INTEGER PRIMARY KEY,
    epoch       INTEGER NOT NULL,   -- one more with each owner
    seq         INTEGER NOT NULL,
    digest      BLOB NOT NULL,
    owner       TEXT NOT NULL,
    expires_ms  INTEGER NOT NULL    -- when the owner is taken to have fallen silent, since 1970
) STRICT;

CREATE VIEW clock AS
    -- The database's clock, by which leases run out, so that all who share the file agree on the time.
    SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now_ms;

INSERT INTO head (stream, epoch, seq, digest, owner, expires_ms) VALUES (0, 0, 0, zeroblob(32), '', 0);

CREATE TABLE snapshot (
    -- The newest state of each stream worth keeping, so that a start need not replay a year.
    stream  INTEGER PRIMARY KEY,
    seq     INTEGER NOT NULL,
    digest  BLOB NOT NULL,
    body    BLOB NOT NULL
) STRICT;


-- Nothing that happened is changed or taken back. This guards against slips; against intent there is the chain.

CREATE TRIGGER journal_is_not_changed BEFORE UPDATE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_is_not_cut BEFORE DELETE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER move_is_not_changed BEFORE UPDATE ON move
    BEGIN SELECT RAISE(ABORT, 'moves are append-only'); END;
CREATE TRIGGER move_is_not_taken_back BEFORE DELETE ON move
    BEGIN SELECT RAISE(ABORT, 'moves are append-only'); END;
CREATE TRIGGER claim_is_not_changed BEFORE UPDATE ON claim
    BEGIN SELECT RAISE(ABORT, 'claims are append-only'); END;
CREATE TRIGGER claim_is_not_given_back BEFORE DELETE ON claim
    BEGIN SELECT RAISE(ABORT, 'claims are append-only'); END;


-- For whoever reads the journal with plain SQL.

CREATE VIEW event AS
    -- What happened, an event to a row: `n` counts within its record, `kind` is its tag, `json` all of it.
    SELECT stream, seq, at_ms, actor, command, each.key AS n, each.value ->> '$.event' AS kind, each.value AS json
    FROM journal, json_each(CAST(body AS TEXT), '$.events') AS each;

CREATE VIEW balance AS
    -- What each account has at each table; all accounts of a table together have 0.
    SELECT stream, account, sum(cents) AS cents
    FROM (
        SELECT stream, target AS account, cents FROM move
        UNION ALL
        SELECT stream, source, -cents FROM move
    )
    GROUP BY stream, account;

CREATE VIEW ticket_outstanding AS
    -- Tickets that were issued and not redeemed, expired or not, each with the record that issued it.
    SELECT substr(issued.claim, 8, length(issued.claim) - 14) AS number, issued.stream, issued.seq, journal.at_ms
    FROM claim AS issued
    JOIN journal USING (stream, seq)
    WHERE issued.claim GLOB 'ticket:*:issued'
        AND NOT EXISTS (
            SELECT 1 FROM claim AS redeemed
            WHERE redeemed.claim = substr(issued.claim, 1, length(issued.claim) - 6) || 'redeemed'
        );
