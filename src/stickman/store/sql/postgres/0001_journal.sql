-- The journal and what is written with it. A record is never changed: what is wrong is put right by another record.
-- Texts are ordered by their bytes, so that their order does not depend on the server's language.

CREATE TABLE journal (
    stream  integer NOT NULL,       -- a table; 0 is the floor
    seq     bigint NOT NULL,        -- 1, 2, 3 and so on in each stream, without a gap
    at_ms   bigint NOT NULL,        -- since 1970
    command text COLLATE "C",       -- the asker's id for it; NULL for what the house did by itself
    actor   text COLLATE "C" NOT NULL,
    body    bytea NOT NULL,         -- JSON; the view `event` opens it
    digest  bytea NOT NULL,         -- SHA-256 over the digest of the record before and `body`
    PRIMARY KEY (stream, seq)
);
COMMENT ON TABLE journal IS 'One row for each accepted command. The body is hashed; the other columns are copies.';

CREATE UNIQUE INDEX journal_command ON journal (stream, command);

CREATE TABLE move (
    stream  integer NOT NULL,
    seq     bigint NOT NULL,
    source  text COLLATE "C" NOT NULL,
    target  text COLLATE "C" NOT NULL,
    cents   bigint NOT NULL,
    PRIMARY KEY (stream, seq, source, target)
);
COMMENT ON TABLE move IS 'Cents that a record moved from one account to another; the view `balance` adds them up.';

CREATE TABLE claim (
    claim   text COLLATE "C" PRIMARY KEY,
    stream  integer NOT NULL,
    seq     bigint NOT NULL
);
COMMENT ON TABLE claim IS 'Keys that nobody else may take, and the record that took each.';

CREATE INDEX claim_record ON claim (stream, seq);

CREATE TABLE shared (
    account text COLLATE "C" NOT NULL,
    stream  integer NOT NULL,
    cents   bigint NOT NULL,
    PRIMARY KEY (account, stream)
);
COMMENT ON TABLE shared IS 'What an account that tables share has gained at each: a row for each, so that none waits.';

CREATE TABLE head (
    stream  integer PRIMARY KEY,
    epoch   bigint NOT NULL DEFAULT 0,          -- one more with each owner
    seq     bigint NOT NULL DEFAULT 0,
    digest  bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
    owner   text NOT NULL DEFAULT '',
    expires timestamptz NOT NULL DEFAULT now()  -- when the owner is taken to have fallen silent
) WITH (fillfactor = 50);  -- every append writes its row anew: on the same page, where there is room
COMMENT ON TABLE head IS 'Where each stream ends, and who may go on. An append moves it only under the latest epoch.';

INSERT INTO head (stream) VALUES (0);

CREATE TABLE snapshot (
    stream  integer PRIMARY KEY,
    seq     bigint NOT NULL,
    digest  bytea NOT NULL,
    body    bytea NOT NULL
);
COMMENT ON TABLE snapshot IS 'The newest state of each stream worth keeping, so that a start need not replay a year.';


-- Nothing that happened is changed or taken back. This guards against slips; against intent there is the chain.

CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION '% is append-only', tg_table_name; END
$$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal EXECUTE FUNCTION append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON move EXECUTE FUNCTION append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON claim EXECUTE FUNCTION append_only();


-- For whoever reads the journal with plain SQL.

CREATE VIEW event AS
    SELECT stream, seq, at_ms, actor, command, n - 1 AS n, value ->> 'event' AS kind, value AS json
    FROM journal, json_array_elements(convert_from(body, 'UTF8')::json -> 'events') WITH ORDINALITY AS each (value, n);
COMMENT ON VIEW event IS
    'What happened, an event to a row: n counts within its record, kind is its tag, json all of it.';

CREATE VIEW balance AS
    SELECT stream, account, sum(cents)::bigint AS cents
    FROM (
        SELECT stream, target AS account, cents FROM move
        UNION ALL
        SELECT stream, source, -cents FROM move
    ) AS change
    GROUP BY stream, account;
COMMENT ON VIEW balance IS 'What each account has at each table; all accounts of a table together have 0.';

CREATE VIEW ticket_outstanding AS
    SELECT split_part(issued.claim, ':', 2) AS number, issued.stream, issued.seq, journal.at_ms
    FROM claim AS issued
    JOIN journal USING (stream, seq)
    WHERE issued.claim LIKE 'ticket:%:issued'
        AND NOT EXISTS (
            SELECT FROM claim AS redeemed
            WHERE redeemed.claim = 'ticket:' || split_part(issued.claim, ':', 2) || ':redeemed'
        );
COMMENT ON VIEW ticket_outstanding IS
    'Tickets that were issued and not redeemed, expired or not, each with the record that issued it.';
