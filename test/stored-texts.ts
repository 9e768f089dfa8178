import sql, { raw } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export async function loadStoredTexts(db: Db): Promise<string[]> {
  const tables = await db.query<{ name: string }>(sql`
    select quote_ident(c.relname) as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by 1`)
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await db.query<{ row: string }>(sql`select row_to_json(t)::text as row from ${raw(name)} t`)
    texts.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  return texts
}

/** Converts an id in any notation to Arabic digits without separators. */
export const toPlainDigits = (text: string): string =>
  text.replace(/[๐-๙]/g, (digit) => String(digit.charCodeAt(0) - 0x0e50)).replace(/(?<=\d)[-– .](?=[\dxX*])/g, '')
