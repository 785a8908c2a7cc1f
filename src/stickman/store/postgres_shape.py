"""What a PostgreSQL schema is made of, so that a journal's schema can be compared with the one that the migrations
make.

The latter is created next to the journal's, in a transaction that is rolled back. So the same server describes
both, in the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stickman.store.store import unlike

MADE = "stickman_as_migrated"
"""The schema to compare with; its creation is rolled back."""

NOT_COMPARED = ("migration",)
"""Tables that the program creates itself, not a migration."""

# Every object of a schema, what kind it is, and its definition without the schema's name.
SHAPE = """
WITH space AS (SELECT oid FROM pg_namespace WHERE nspname = $1)
SELECT kind, name, replace(definition, quote_ident($1) || '.', '') AS definition FROM (
    SELECT
        CASE relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'i' THEN 'index' ELSE 'relation' END AS kind,
        relname::text AS name,
        CASE relkind WHEN 'v' THEN pg_get_viewdef(oid) WHEN 'i' THEN pg_get_indexdef(oid) ELSE '' END
            || ' row security ' || relrowsecurity || relforcerowsecurity AS definition
    FROM pg_class WHERE relnamespace = (SELECT oid FROM space) AND relkind <> 't'
    UNION ALL
    SELECT 'column', relname || '.' || attname,
        concat_ws(' ', attnum, format_type(atttypid, atttypmod), attnotnull, collname, pg_get_expr(adbin, adrelid))
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    WHERE relnamespace = (SELECT oid FROM space) AND relkind IN ('r', 'v', 'p', 'f', 'm')
        AND attnum > 0 AND NOT attisdropped
    UNION ALL
    SELECT 'constraint', relname || '.' || conname, pg_get_constraintdef(pg_constraint.oid)
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid WHERE relnamespace = (SELECT oid FROM space)
    UNION ALL
    SELECT 'trigger', relname || '.' || tgname, tgenabled::text || ' ' || pg_get_triggerdef(pg_trigger.oid)
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE relnamespace = (SELECT oid FROM space) AND NOT tgisinternal
    UNION ALL
    SELECT 'rule', relname || '.' || rulename, ev_enabled::text || ' ' || pg_get_ruledef(pg_rewrite.oid)
    FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class
    WHERE relnamespace = (SELECT oid FROM space) AND rulename <> '_RETURN'
    UNION ALL
    SELECT 'function', proname || '(' || pg_get_function_identity_arguments(oid) || ')',
        CASE WHEN prokind IN ('f', 'p') THEN pg_get_functiondef(oid) ELSE prokind::text END
    FROM pg_proc WHERE pronamespace = (SELECT oid FROM space)
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
) AS object
"""


async def differences(session: Any, migrations: Sequence[str]) -> list[str]:
    """What differs between the schema of this session and the one that the migrations make."""
    transaction = session.transaction()
    await transaction.start()
    try:
        here = await session.fetchval("SELECT current_schema()")
        found = await _shape(session, here)
        await session.execute(f"CREATE SCHEMA {MADE}")
        await session.execute(f"SET LOCAL search_path = {MADE}")
        for migration in migrations:
            await session.execute(migration)
        should = await _shape(session, MADE)
    finally:
        await transaction.rollback()
    return unlike(found, should)


async def _shape(session: Any, schema: str) -> dict[tuple[str, str], str]:
    await session.execute("SELECT set_config('search_path', $1, true)", schema)
    rows = await session.fetch(SHAPE, schema)
    return {
        (row["kind"], row["name"]): row["definition"]
        for row in rows
        if row["name"].partition(".")[0] not in NOT_COMPARED
        and row["name"] not in {f"{name}_pkey" for name in NOT_COMPARED}
    }
