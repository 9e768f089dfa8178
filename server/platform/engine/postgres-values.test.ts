import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { onEachEngine } from '../../../test/server/databases.ts'
import type { OpenDb } from './db.ts'
import { parsePostgresArray, toSqlParameter } from './postgres-values.ts'

onEachEngine('a value', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })

  test('of every stored type reads back in the same JavaScript form on both engines', async () => {
    const [row] = await db.query(sql`
      select 45::int8 as int8, 9007199254740991::int8 as largest, 7::int4 as int4, 3::int2 as int2, count(*) as count,
        12345678901234567890.25::numeric as numeric, 1.5::float8 as float8, 'Infinity'::float8 as infinite, true as bool,
        date '2026-01-31' as date, timestamptz '2026-01-31 17:00:00.123+07' as moment, timestamptz '2026-01-31 17:00+00' as short,
        '{"a": [1, null]}'::jsonb as jsonb, '[1]'::json as json, null::text as nothing, '\\x00ff'::bytea as bytes,
        array[1, null, 3]::int8[] as int8s, array['ก,ข', 'a"b\\c', '', 'NULL', null] as texts, array[[1,2],[3,4]] as nested,
        '{}'::text[] as empty, array[date '2026-01-31'] as dates, array['{"a":1}'::jsonb] as jsonbs, array[true] as bools,
        array[timestamptz '2026-01-31 17:00+00'] as moments, array[1.5]::numeric[] as numerics`)
    expect(row).toEqual({
      int8: 45,
      largest: 9007199254740991,
      int4: 7,
      int2: 3,
      count: 1,
      numeric: '12345678901234567890.25',
      float8: 1.5,
      infinite: Number.POSITIVE_INFINITY,
      bool: true,
      date: '2026-01-31',
      moment: '2026-01-31T10:00:00.123Z',
      short: '2026-01-31T17:00:00.000Z',
      jsonb: { a: [1, null] },
      json: [1],
      nothing: null,
      bytes: new Uint8Array([0, 255]),
      int8s: [1, null, 3],
      texts: ['ก,ข', 'a"b\\c', '', 'NULL', null],
      nested: [
        [1, 2],
        [3, 4],
      ],
      empty: [],
      dates: ['2026-01-31'],
      jsonbs: [{ a: 1 }],
      bools: [true],
      moments: ['2026-01-31T17:00:00.000Z'],
      numerics: ['1.5'],
    })
  })

  test('beyond the safe integers is refused, not rounded, and does not affect later values', async () => {
    await expect(db.query(sql`select 9007199254740993::int8 as n`)).rejects.toMatchObject({ code: '22003' })
    expect(await db.query(sql`select 1 as n`)).toEqual([{ n: 1 }])
  })

  test('round-trips unchanged as a parameter', async () => {
    const bytes = new Uint8Array([0, 1, 255])
    const [row] = await db.query(sql`
      select ${'ก\'";--'}::text as text, ${12}::int8 as int8, ${12n}::int8 as bigint, ${1.25}::float8 as float8, ${true}::bool as bool,
        ${null}::text as nothing, ${['ก', null, 'a,"b"\\']}::text[] as texts, ${[1, 2]}::int4[] as ints, ${{ a: 'ข' }}::jsonb as object,
        ${'[1,2]'}::jsonb as list, ${'"x"'}::jsonb as string, ${new Date('2026-01-31T10:00:00Z')}::timestamptz as moment,
        ${'2026-01-31'}::date as date, ${bytes}::bytea as bytes, ${['2026-01-31']}::date[] as dates, ${[]}::text[] as empty`)
    expect(row).toEqual({
      text: 'ก\'";--',
      int8: 12,
      bigint: 12,
      float8: 1.25,
      bool: true,
      nothing: null,
      texts: ['ก', null, 'a,"b"\\'],
      ints: [1, 2],
      object: { a: 'ข' },
      list: [1, 2],
      string: 'x',
      moment: '2026-01-31T10:00:00.000Z',
      date: '2026-01-31',
      bytes,
      dates: ['2026-01-31'],
      empty: [],
    })
  })

  test('reports the number of affected rows', async () => {
    await db.script('create table touched (n int)')
    expect(await db.execute(sql`insert into touched select generate_series(1, 5)`)).toBe(5)
    expect(await db.execute(sql`update touched set n = 0 where n > 3`)).toBe(2)
    expect(await db.execute(sql`delete from touched where n = 99`)).toBe(0)
  })

  test('is refused for type and syntax errors with the SQLSTATE but without its text', async () => {
    await expect(db.query(sql`select ${'secret'}::int4`)).rejects.toMatchObject({
      name: 'StatementError',
      code: '22P02',
    })
    await expect(db.query(sql`selec 1`)).rejects.toMatchObject({ code: '42601' })
    await expect(db.query(sql`select 1; select 2`)).rejects.toMatchObject({ code: '42601' })
  })

  test('is sorted in Thai order: leading vowels after their consonant, marks ignored at first, Latin behind Thai', async () => {
    const words = ['แก', 'ข', 'ก', 'เก', 'กา', 'a', 'น้ำ', 'นำ', 'นา', '"ก"', 'ก็']
    const rows = await db.query<{ word: string }>(
      sql`select word from unnest(${words}::text[]) as word order by word collate thai, word`,
    )
    const compare = new Intl.Collator('th').compare
    expect(rows.map(({ word }) => word)).toEqual([...words].sort((a, b) => compare(a, b) || (a < b ? -1 : 1)))
  })
})

describe('an array of PostgreSQL', () => {
  test('parses bounds and refuses truncated text', () => {
    expect(parsePostgresArray('[0:1]={1,2}', Number)).toEqual([1, 2])
    expect(() => parsePostgresArray('{1,2', Number)).toThrow(SyntaxError)
    expect(() => parsePostgresArray('{"a', String)).toThrow(SyntaxError)
  })

  test('escapes every element', () => {
    expect(toSqlParameter(['a","b', '\\', '{}', 'NULL', null, [1]])).toBe('{"a\\",\\"b","\\\\","{}","NULL",NULL,{1}}')
  })
})
