import type { DataSourceNightlyRun, DataSourceStatus } from '#contract/operation/sources.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import type { BadgeTone } from '#src/ui/badge.tsx'

/** After a longer gap, announcements of a working day are missing (docs/operations.md has the same alarm). */
const LATE_THRESHOLD_MS = 36 * 3_600_000

export type DataSourceCondition = 'halted' | 'failing' | 'late' | 'partial' | 'resting' | 'fine' | 'off'

export const DATA_SOURCE_CONDITIONS: Readonly<
  Record<DataSourceCondition, { th: string; tone: BadgeTone; isBad: boolean }>
> = {
  halted: { th: 'ต้นทางปฏิเสธ', tone: 'urgent', isBad: true },
  failing: { th: 'ขัดข้อง', tone: 'urgent', isBad: true },
  late: { th: 'ล่าช้า', tone: 'urgent', isBad: true },
  partial: { th: 'ต้องตรวจ', tone: 'updated', isBad: false },
  resting: { th: 'พักตามที่ต้นทางขอ', tone: 'updated', isBad: false },
  fine: { th: 'ปกติ', tone: 'new', isBad: false },
  off: { th: 'ปิดอยู่', tone: 'neutral', isBad: false },
}

export function getDataSourceCondition(source: DataSourceStatus, nowMs: number): DataSourceCondition {
  if (source.halted) return 'halted'
  if (!source.is_on) return 'off'
  if (source.failure !== null) return 'failing'
  if (isLate(source, nowMs)) return 'late'
  if (source.rests_until !== null) return 'resting'
  const last = source.rounds.find(({ outcome }) => outcome !== null)
  return last === undefined || last.outcome === 'complete' ? 'fine' : 'partial'
}

function isLate({ coverage, rounds }: DataSourceStatus, nowMs: number): boolean {
  const since = coverage && (coverage.last_full_night ?? rounds.at(-1)?.begun_at)
  return since != null && nowMs - Date.parse(since) > LATE_THRESHOLD_MS
}

export type NightlyRunStatus = 'full' | 'partial' | 'failed' | 'under-way' | 'none'

export function getNightlyRunStatus(round: DataSourceNightlyRun | undefined): NightlyRunStatus {
  if (round === undefined) return 'none'
  if (round.outcome === null) return 'under-way'
  if (round.outcome === 'complete') return 'full'
  return round.outcome === 'cut_short' ? 'partial' : 'failed'
}

const OUTCOMES: Readonly<Record<NonNullable<DataSourceNightlyRun['outcome']>, string>> = {
  complete: 'ครบตามรอบ',
  cut_short: 'หมดเวลาก่อนครบ',
  refused: 'ต้นทางขอให้หยุด',
  closed: 'ต้นทางไม่ตอบ',
  halted: 'ต้นทางปฏิเสธ',
}

export function getNightlyRunOutcomeLabel(round: DataSourceNightlyRun | undefined): string {
  if (round === undefined) return 'ไม่มีรอบ'
  return round.outcome === null ? 'กำลังดึง' : OUTCOMES[round.outcome]
}

const STRIP_DAYS = 14

export function listRecentNightlyRuns(
  rounds: readonly DataSourceNightlyRun[],
  today: string,
): { day: string; round: DataSourceNightlyRun | undefined }[] {
  const roundsByNight = new Map(rounds.map((round) => [round.night, round]))
  return Array.from({ length: STRIP_DAYS }, (_, at) => {
    const day = addDays(today, at + 1 - STRIP_DAYS)
    return { day, round: roundsByNight.get(day) }
  })
}

export function formatTimeSpan(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000))
  if (minutes < 60) return `${minutes} นาที`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} ชม.` : `${Math.round(hours / 24)} วัน`
}
