import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { buildApp } from '#server/http/app.ts'
import { JOB_KINDS } from '#server/jobs/job-kinds.ts'
import { recordBackup } from '#server/platform/engine/backup/backup-runs.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openReplicas, type Replicas } from '#server/platform/engine/replicas.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onOneEngine } from './server/databases.ts'
import { TEST_SECRET } from './server/http-app.ts'

const read = (file: string) => readFileSync(path.join(import.meta.dirname, '..', file), 'utf8')

type Rule = {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}
type Panel = { readonly title: string; readonly type: string; readonly targets?: readonly { readonly expr: string }[] }
const { groups } = parse(read('docs/monitoring/alarms.yml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const { panels } = JSON.parse(read('docs/monitoring/dashboard.json')) as { panels: Panel[] }
/** What to do for each alarm. */
const runbook = read('docs/operations.md').split('\n## Alarms\n')[1]?.split('\n## ')[0] ?? ''

const asked = [
  ...rules.map(({ alert, expr }) => ({ by: alert, expr })),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ by: title, expr }))),
]

type Selector = { readonly name: string; readonly labels: readonly { label: string; how: string; value: string }[] }
/** Words of PromQL that stand where a figure may. */
const WORDS = ['and', 'or', 'unless', 'bool', 'offset', 'group_left', 'group_right']
/** Prometheus's own. */
const FOREIGN = ['up']

/** What follows a function. */
const CALLED = ['(', 'by', 'without']
/** Before a list of labels that are no figures. */
const GROUPINGS = ['by', 'without', 'on', 'ignoring']

/** What our figures begin with. */
const KINDS = 'db jobs load turns http channel webhook webhooks intake replica report wal backup data'.split(' ')

/** The figures of a PromQL expression, with the labels that it picks them by. */
function selectorsOf(expr: string): Selector[] {
  const tokens: readonly string[] = expr.match(/"[^"]{0,500}"|[a-z_:][\w:]{0,100}|\d[\w.]{0,30}|=~|!~|!=|\S/gi) ?? []
  const found: Selector[] = []
  let at = 0
  const passOver = (last: string) => {
    at = tokens.indexOf(last, at) + 1
  }
  while (at < tokens.length) {
    const token = tokens[at]!
    at += 1
    if (token === '[') passOver(']')
    else if (GROUPINGS.includes(token)) passOver(')')
    else if (/^[a-z_:]/i.test(token) && !CALLED.includes(tokens[at] ?? '') && !WORDS.includes(token)) {
      const picked =
        tokens[at] === '{' ? tokens.slice(at + 1, tokens.indexOf('}', at)).filter((one) => one !== ',') : []
      if (tokens[at] === '{') passOver('}')
      const labels = Array.from({ length: picked.length / 3 }, (_, i) => picked.slice(3 * i, 3 * i + 3)).map(
        ([label, how, value]) => ({ label: label!, how: how!, value: value!.slice(1, -1) }),
      )
      found.push({ name: token, labels })
    }
  }
  return found
}

test('the figures of an expression are found in it', () => {
  expect(
    selectorsOf(
      'sum by (le) (rate(a_b{x=~"5..",y!="/z"}[5m])) / sum(rate(c[5m])) > 1.6e9 and time() - max(d{k="e"}) > 30 * 3600',
    ),
  ).toEqual([
    {
      name: 'a_b',
      labels: [
        { label: 'x', how: '=~', value: '5..' },
        { label: 'y', how: '!=', value: '/z' },
      ],
    },
    { name: 'c', labels: [] },
    { name: 'd', labels: [{ label: 'k', how: '=', value: 'e' }] },
  ])
})

describe('the alarms', () => {
  test('have names of their own, a severity, a summary, and a section of the runbook each; and each section has its alarm', () => {
    expect(rules.length).toBeGreaterThan(20)
    const names = rules.map(({ alert }) => alert)
    expect(new Set(names).size).toBe(names.length)
    for (const { alert, labels, annotations } of rules) {
      expect(['critical', 'warning'], alert).toContain(labels.severity)
      expect(annotations.summary, alert).toMatch(/\w/)
      expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`)
    }
    const sections = [...runbook.matchAll(/^### (\w+)$/gm)].map(([, name]) => name!)
    expect(sections.toSorted()).toEqual(names.toSorted())
  })

  test('each have a check and a fix', () => {
    for (const section of runbook.split(/^### /m).slice(1))
      expect(section, section.split('\n')[0]).toMatch(/\n\*\*Check:\*\* [^\n]{20,}\n\*\*Fix:\*\* [^\n]{20,}(?:\n|$)/)
  })

  test('are drawn: each figure that rings stands in the dashboard too', () => {
    const drawn = new Set(
      panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => selectorsOf(expr))).map(({ name }) => name),
    )
    const rung = new Set(rules.flatMap(({ expr }) => selectorsOf(expr).map(({ name }) => name)))
    // Whether it is there, and whether it holds anything: the panels of its process and of where answers come from show it.
    for (const name of [...FOREIGN, 'replica_up', 'report_memory_projects', 'intake_halted']) rung.delete(name)
    expect([...rung].filter((name) => !drawn.has(name))).toEqual([])
  })
})

onOneEngine('the figures', (makeDb) => {
  let db: OpenDb
  let replicas: Replicas | undefined
  let app: RouteApp
  let types: Map<string, string>
  let samples: { name: string; labels: Record<string, string> }[]
  const isPostgres = inject('postgres') !== undefined

  beforeAll(async () => {
    db = await makeDb()
    await recordBackup(db, { kind: 'file', bytes: 1, seconds: 1 })
    // A server that is no replica: its figures are there, and say so.
    replicas = isPostgres ? await openReplicas(db, [inject('postgres')!.url]) : undefined
    const settings = {
      ...{ authSecrets: [TEST_SECRET] as const, logLevel: 'silent' as const, metrics: 'open' as const },
      ...{ jobKinds: JOB_KINDS.map(({ kind }) => kind), documentsDir: import.meta.dirname, reportMemoryMb: 50 },
    }
    app = await buildApp({ db: replicas?.db ?? db, ...(replicas && { replicas }), settings })
    await app.inject({ url: '/livez' })
    const text = (await app.inject({ url: '/metrics' })).body
    types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name!, type!]))
    samples = [...text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)].map(([, name, labels = '']) => ({
      name: name!,
      labels: Object.fromEntries(
        labels
          .split('",')
          .filter((text) => text !== '')
          .map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('"') + 1).replace('"', '')]),
      ),
    }))
  })
  afterAll(async () => {
    await app.close()
    await replicas?.db.close()
  })

  const isThere = (name: string) =>
    types.has(name) || types.get(name.replace(/_(bucket|count|sum)$/, '')) === 'histogram' || FOREIGN.includes(name)

  test('that alarms, dashboard and runbook name are in a real answer of /metrics', () => {
    if (!isPostgres) console.warn('SKIPPED: the figures of replicas, without PostgreSQL')
    const missing = asked.flatMap(({ by, expr }) => {
      const names = selectorsOf(expr).map(({ name }) => name)
      expect(names.length, `${by} asks for nothing`).toBeGreaterThan(0)
      return names
        .filter((name) => !isThere(name) && (isPostgres || !name.startsWith('replica_')))
        .map((name) => `${by}: ${name}`)
    })
    expect(missing).toEqual([])
    const told = runbook
      .split('`')
      .filter((_, i) => i % 2 === 1)
      .map((code) => code.split('{')[0]!)
      .filter((name) => KINDS.includes(name.split('_')[0]!) && /^[a-z]+(?:_[a-z]+){2,}$/.test(name))
    expect(told.filter((name) => !isThere(name) && !/^(job_leases|backup_runs|channel_messages)$/.test(name))).toEqual(
      isPostgres ? [] : told.filter((name) => name.startsWith('replica_')),
    )
  })

  test('are picked by labels, and where those are few by values, that they have', () => {
    const wrong = asked.flatMap(({ by, expr }) =>
      selectorsOf(expr).flatMap(({ name, labels }) => {
        const own = samples.filter((sample) => sample.name === name)
        return labels
          .filter(({ label, how, value }) => {
            if (own.length === 0 || label === 'status' || label === 'route') return false
            const values = own.map((sample) => sample.labels[label])
            if (how === '=') return !values.includes(value)
            return how === '=~' ? !value.split('|').every((each) => values.includes(each)) : values.includes(undefined)
          })
          .map(({ label, value }) => `${by}: ${name}{${label}="${value}"}`)
      }),
    )
    expect(wrong).toEqual([])
  })

  test('say when a backup was made, and that none was archived or tried yet', async () => {
    const text = (await app.inject({ url: '/metrics' })).body
    const made = Number(/^backup_timestamp_seconds\{kind="file"\} (\S+)$/m.exec(text)![1])
    expect(Math.abs(Date.now() / 1000 - made)).toBeLessThan(300)
    expect(text).toMatch(/^backup_timestamp_seconds\{kind="drill"\} 0$/m)
    expect(text).toMatch(/^wal_archive_failing 0$/m)
    expect(Number(/^data_disk_size_bytes (\S+)$/m.exec(text)![1])).toBeGreaterThan(0)
    expect(Number(/^db_size_bytes (\S+)$/m.exec(text)![1])).toBeGreaterThan(1e6)
  })
})
