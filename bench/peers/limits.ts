import type pg from 'pg'
import { type Answer, type Contender, PAGE_SIZE, type Question } from './questions.ts'

type Statement = readonly [text: string, values: readonly unknown[]]

function condition(question: Question): Statement {
  switch (question.kind) {
    case 'page':
      return ['true', []]
    case 'word':
      return ["name ilike '%' || $1 || '%'", [question.word]]
    case 'filtered':
      return ['province = any ($1) and budget between $2 and $3', [question.provinces, question.min, question.max]]
    case 'groups':
      return ['budget between $1 and $2 and province is not null', [question.min, question.max]]
  }
}

/**
 * Measures the database alone: hand-written statements over one open connection, without HTTP, with rows as
 * node-postgres returns them.
 */
export function createPlainSqlContender(client: pg.Client): Contender {
  return {
    name: 'bare pg query',
    async ask(question) {
      const [where, values] = condition(question)
      if (question.kind === 'groups') {
        const { rows } = await client.query(
          `select province, count(*)::int from projects where ${where} group by province`,
          [...values],
        )
        return JSON.stringify(rows)
      }
      const order = question.kind === 'filtered' ? 'budget desc' : 'movement_date desc nulls last'
      const offset = question.kind === 'page' ? (question.page - 1) * PAGE_SIZE : 0
      const total = await client.query(`select count(*)::int as total from projects where ${where}`, [...values])
      const { rows } = await client.query(
        `select * from projects where ${where} order by ${order}, id limit ${PAGE_SIZE} offset ${offset}`,
        [...values],
      )
      return JSON.stringify({ total: total.rows[0].total, rows })
    },
    read(question, body) {
      if (question.kind !== 'groups') return { total: (JSON.parse(body) as Answer).total }
      return toGroupedAnswer(JSON.parse(body) as { province: string | null; count: number }[])
    },
  }
}

/** Measures the minimum that a database has to do: a bare count, index-only where possible, without a page of rows. */
export function createCountContender(client: pg.Client): Contender {
  return {
    name: 'bare count',
    async ask(question) {
      const [where, values] = condition(question)
      const { rows } = await client.query(`select count(*)::int as total from projects where ${where}`, [...values])
      return JSON.stringify(rows[0])
    },
    read: (_, body) => ({ total: (JSON.parse(body) as Answer).total }),
  }
}

/**
 * Scans the same rows in typed arrays of this process: what one core can do without HTTP and without rows in the
 * response.
 */
export async function createTypedArrayContender(client: pg.Client): Promise<Contender> {
  const { rows } = await client.query<{ name: string; province: string | null; budget: number | null }>(
    'select name, province, budget::float8 as budget from projects order by movement_date desc nulls last, id',
  )
  const names = [...new Set(rows.map(({ province }) => province))]
  const codes = new Map(names.map((name, code) => [name, code]))
  const provinces = Uint8Array.from(rows, ({ province }) => codes.get(province)!)
  const budgets = Float64Array.from(rows, ({ budget }) => budget ?? Number.NaN)
  const titles = rows.map(({ name }) => Buffer.from(name))
  const all = Buffer.concat(titles.flatMap((title) => [title, Buffer.from('\n')]))
  const ends = new Uint32Array(rows.length)
  titles.reduce((end, title, row) => {
    ends[row] = end + title.length
    return end + title.length + 1
  }, 0)

  function ofWord(word: string): Answer {
    const needle = Buffer.from(word)
    let total = 0
    let row = 0
    for (let at = all.indexOf(needle); at !== -1; at = all.indexOf(needle, ends[row - 1]!)) {
      while (ends[row]! < at) row += 1
      total += 1
      row += 1
      if (row >= rows.length) break
    }
    return { total }
  }

  function computeAnswer(question: Question): Answer {
    if (question.kind === 'page') return { total: rows.length }
    if (question.kind === 'word') return ofWord(question.word)
    const { min, max } = question
    const counts = new Uint32Array(names.length)
    for (let row = 0; row < rows.length; row += 1)
      if (budgets[row]! >= min && budgets[row]! <= max) counts[provinces[row]!]! += 1
    if (question.kind === 'groups')
      return toGroupedAnswer(names.map((province, code) => ({ province, count: counts[code]! })))
    return { total: question.provinces.reduce((sum, province) => sum + (counts[codes.get(province) ?? -1] ?? 0), 0) }
  }

  let last: Answer | undefined
  return {
    name: 'typed arrays',
    async ask(question) {
      last = computeAnswer(question)
      return ''
    },
    read: () => last!,
  }
}

export function toGroupedAnswer(
  rows: readonly { readonly province: string | null; readonly count: string | number }[],
): Answer {
  const groups = new Map<string, number>()
  for (const { province, count } of rows)
    if (province !== null && Number(count) > 0) groups.set(province, Number(count))
  return { total: [...groups.values()].reduce((sum, count) => sum + count, 0), groups }
}
