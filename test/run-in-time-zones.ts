import { execFileSync } from 'node:child_process'

const ZONES = ['UTC', 'Asia/Bangkok', 'America/Los_Angeles', 'Pacific/Kiritimati']

/**
 * Runs a module in one process per time zone, because a running process keeps its initial zone. Returns what each
 * prints.
 */
export function runInTimeZones(file: string): string[] {
  return ZONES.map((zone) =>
    execFileSync(process.execPath, ['--no-warnings', file], {
      env: { ...process.env, TZ: zone, NODE_OPTIONS: '' },
      encoding: 'utf8',
    }),
  )
}
