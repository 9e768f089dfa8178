import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

/** R58. The test starts one process per time zone, because a running process keeps its initial zone. */
it('gives the same dates in every time zone of the machine', () => {
  const script = `
    import * as date from ${JSON.stringify(import.meta.resolve('#contract/thai/thai-date.ts'))}
    import { parseThaiDate } from ${JSON.stringify(import.meta.resolve('#contract/thai/thai-date-entry.ts'))}
    const instants = ['2025-12-31T16:59:59Z', '2025-12-31T17:00:00Z', '2026-03-08T10:30:00Z', '2026-11-01T09:30:00Z', '2026-06-30T23:59:59Z']
    console.log(JSON.stringify(instants.map((text) => {
      const today = date.getBangkokToday(new Date(text))
      return [today, date.formatBangkokTime(new Date(text)), date.addDays(today, 1), date.addMonths(today, 1), date.formatThaiDate(today),
        date.countDaysBetween('2026-01-01', today), date.getFiscalYear(today), parseThaiDate('อีก 7 วัน', today), parseThaiDate('29/02/2567', today)]
    })))`
  const outputs = ['UTC', 'Asia/Bangkok', 'America/Los_Angeles', 'Pacific/Kiritimati'].map((zone) =>
    execFileSync(process.execPath, ['--input-type=module-typescript', '--no-warnings', '--eval', script], {
      env: { ...process.env, TZ: zone, NODE_OPTIONS: '' },
      encoding: 'utf8',
    }),
  )
  expect(outputs[0]).toContain('"2026-01-01"')
  expect(new Set(outputs).size).toBe(1)
})
