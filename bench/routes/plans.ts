import path from 'node:path'
import { countPagesRead, countRowsRead, type Plan } from '../../test/server/rows-read.ts'

/** What statements read: rows visited by their scans, and 8 kB pages. */
export type StatementReads = { readonly statements: number; readonly rows: number; readonly pages: number }

/** Settings for a server that prints the plan of every statement. Its user must be a superuser of the database. */
export function getPlanSettings(database: string): Record<string, string> {
  const url = new URL(database)
  const options = [
    'session_preload_libraries=auto_explain',
    'auto_explain.log_min_duration=0',
    'auto_explain.log_analyze=on',
    'auto_explain.log_timing=off',
    'auto_explain.log_buffers=on',
    'auto_explain.log_format=json',
    'auto_explain.log_level=notice',
  ]
  url.searchParams.set('options', options.map((option) => `-c ${option}`).join(' '))
  const preload = path.join(import.meta.dirname, 'print-plans.ts')
  return { DATABASE_URL: url.href, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${preload}`.trim() }
}

export function collectPlans(): { readonly onLog: (text: string) => void; readonly take: () => StatementReads } {
  let partialLine = ''
  let read: StatementReads = { statements: 0, rows: 0, pages: 0 }
  return {
    onLog(text) {
      const lines = (partialLine + text).split('\n')
      partialLine = lines.pop()!
      for (const line of lines) {
        if (!line.startsWith('PLAN ')) continue
        const { Plan: plan } = JSON.parse(line.slice(5)) as { readonly Plan: Plan }
        read = {
          statements: read.statements + 1,
          rows: read.rows + countRowsRead(plan),
          pages: read.pages + countPagesRead(plan),
        }
      }
    },
    take() {
      const taken = read
      read = { statements: 0, rows: 0, pages: 0 }
      return taken
    },
  }
}
