import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { buildApp } from '#server/http/app.ts'
import { JOB_KINDS } from '#server/jobs/job-kinds.ts'
import { recordBackup } from '#server/platform/engine/backup/backup-runs.ts'
import { type DatabaseReplicas, openDatabaseReplicas } from '#server/platform/engine/database-replicas.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
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
const runbook = read('docs/operations.md').split('\n## Alarms\n')[1]?.split('\n## ')[0] ?? ''

const expressions = [
  ...rules.map(({ alert, expr }) => ({ by: alert, expr })),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ by: title, expr }))),
]

type Selector = { readonly name: string; readonly labels: readonly { label: string; how: string; value: string }[] }
/** PromQL words that may appear where a metric name is expected. */
const WORDS = ['and', 'or', 'unless', 'bool', 'offset', 'group_left', 'group_right']
const FOREIGN = ['up']

/** Tokens that follow a function or aggregation name in PromQL. */
const CALLED = ['(', 'by', 'without']
/** Keywords followed by a label list rather than by metrics. */
const GROUPINGS = ['by', 'without', 'on', 'ignoring']

/** Prefixes of the product's metrics. */
const KINDS = 'db jobs load turns http channel webhook webhooks intake replica report wal backup data'.split(' ')

/** Returns the metrics of a PromQL expression with their label selectors. */
function selectorsOf(expr: string): Selector[] {
  const tokens: readonly string[] = expr.match(/"[^"]{0,500}"|[a-z_:][\w:]{0,100}|\d[\w.]{0,30}|=~|!~|!=|\S/gi) ?? []
  const selectors: Selector[] = []
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
        tokens[at] === '{' ? tokens.slice(at + 1, tokens.indexOf('}', at)).filter((part) => part !== ',') : []
      if (tokens[at] === '{') passOver('}')
      const labels = Array.from({ length: picked.length / 3 }, (_, i) => picked.slice(3 * i, 3 * i + 3)).map(
        ([label, how, value]) => ({ label: label!, how: how!, value: value!.slice(1, -1) }),
      )
      selectors.push({ name: token, labels })
    }
  }
  return selectors
}

test('selectorsOf finds the metrics of an expression', () => {
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
  test('have unique names, a severity, a summary and one runbook section each', () => {
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

  test('use only metrics that the dashboard shows too', () => {
    const drawn = new Set(
      panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => selectorsOf(expr))).map(({ name }) => name),
    )
    const rung = new Set(rules.flatMap(({ expr }) => selectorsOf(expr).map(({ name }) => name)))
    // These metrics only state whether something is present and how full it is, which other panels show already: those
    // of the process and of the sources of answers.
    for (const name of [...FOREIGN, 'replica_up', 'report_memory_projects', 'intake_halted']) rung.delete(name)
    expect([...rung].filter((name) => !drawn.has(name))).toEqual([])
  })
})

onOneEngine('the figures', (makeDb) => {
  let db: OpenDb
  let replicas: DatabaseReplicas | undefined
  let app: RouteApp
  let types: Map<string, string>
  let samples: { name: string; labels: Record<string, string> }[]
  const isPostgres = inject('postgres') !== undefined

  beforeAll(async () => {
    db = await makeDb()
    await recordBackup(db, { kind: 'file', bytes: 1, seconds: 1 })
    // The server is configured as its own replica, so the replica metrics exist and report that it is not a replica.
    replicas = isPostgres ? await openDatabaseReplicas(db, [inject('postgres')!.url]) : undefined
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

  test('include every metric that alarms, dashboard and runbook name', () => {
    if (!isPostgres) console.warn('SKIPPED: the figures of replicas, without PostgreSQL')
    const missing = expressions.flatMap(({ by, expr }) => {
      const names = selectorsOf(expr).map(({ name }) => name)
      expect(names.length, `${by} asks for nothing`).toBeGreaterThan(0)
      return names
        .filter((name) => !isThere(name) && (isPostgres || !name.startsWith('replica_')))
        .map((name) => `${by}: ${name}`)
    })
    expect(missing).toEqual([])
    const documentedMetrics = runbook
      .split('`')
      .filter((_, i) => i % 2 === 1)
      .map((code) => code.split('{')[0]!)
      .filter((name) => KINDS.includes(name.split('_')[0]!) && /^[a-z]+(?:_[a-z]+){2,}$/.test(name))
    expect(
      documentedMetrics.filter((name) => !isThere(name) && !/^(job_leases|backup_runs|channel_messages)$/.test(name)),
    ).toEqual(isPostgres ? [] : documentedMetrics.filter((name) => name.startsWith('replica_')))
  })

  test('have the labels, and for fixed sets the values, that expressions select by', () => {
    const wrong = expressions.flatMap(({ by, expr }) =>
      selectorsOf(expr).flatMap(({ name, labels }) => {
        const metricSamples = samples.filter((sample) => sample.name === name)
        return labels
          .filter(({ label, how, value }) => {
            if (metricSamples.length === 0 || label === 'status' || label === 'route') return false
            const values = metricSamples.map((sample) => sample.labels[label])
            if (how === '=') return !values.includes(value)
            return how === '=~'
              ? !value.split('|').every((option) => values.includes(option))
              : values.includes(undefined)
          })
          .map(({ label, value }) => `${by}: ${name}{${label}="${value}"}`)
      }),
    )
    expect(wrong).toEqual([])
  })

  test('report when a backup was made, and that none was archived or drilled yet', async () => {
    const text = (await app.inject({ url: '/metrics' })).body
    const made = Number(/^backup_timestamp_seconds\{kind="file"\} (\S+)$/m.exec(text)![1])
    expect(Math.abs(Date.now() / 1000 - made)).toBeLessThan(300)
    expect(text).toMatch(/^backup_timestamp_seconds\{kind="drill"\} 0$/m)
    expect(text).toMatch(/^wal_archive_failing 0$/m)
    expect(Number(/^data_disk_size_bytes (\S+)$/m.exec(text)![1])).toBeGreaterThan(0)
    expect(Number(/^db_size_bytes (\S+)$/m.exec(text)![1])).toBeGreaterThan(1e6)
  })
})
