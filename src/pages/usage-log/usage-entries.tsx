import { labelOf } from '#contract/project/project.ts'
import { USAGE_TYPES, type UsageEntry } from '#contract/user/usage-log.ts'
import { Badge } from '#src/ui/badge.tsx'
import { EmptyValue } from '#src/ui/empty-value.tsx'

const moment = new Intl.DateTimeFormat('th-TH-u-ca-buddhist', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: 'Asia/Bangkok',
})

/** A UTC instant to the second, Bangkok time: `21/11/2569 12:00:05`. */
function usageTime(utcIso: string): string {
  const part = Object.fromEntries(moment.formatToParts(new Date(utcIso)).map(({ type, value }) => [type, value]))
  return `${part.day}/${part.month}/${part.year} ${part.hour}:${part.minute}:${part.second}`
}

/** Entries as a table, and as cards where there is no room for one. */
export function UsageEntries({ entries }: { entries: readonly UsageEntry[] }) {
  return (
    <>
      <table className="hidden w-full border-collapse text-table md:table">
        <caption className="sr-only">ประวัติการใช้งาน รายการล่าสุดอยู่บนสุด</caption>
        <thead className="bg-surface-muted text-left text-xs text-ink-muted">
          <tr>
            {['วันเวลา', 'ผู้ใช้', 'ประเภท', 'รายละเอียด'].map((title) => (
              <th key={title} scope="col" className="border-b border-line px-3 py-2 font-medium whitespace-nowrap">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id} className="align-top">
              <td className="border-b border-line px-3 py-2 whitespace-nowrap tabular-nums">
                {usageTime(entry.datetime)}
              </td>
              <td className="border-b border-line px-3 py-2">{entry.user ?? <EmptyValue />}</td>
              <td className="border-b border-line px-3 py-2">
                <Badge>{labelOf(USAGE_TYPES, entry.type)}</Badge>
              </td>
              <td className="border-b border-line px-3 py-2">
                <Description entry={entry} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="divide-y divide-line md:hidden">
        {entries.map((entry) => (
          <li key={entry.id} className="space-y-1 px-4 py-3">
            <p className="flex items-center justify-between gap-2 text-xs text-ink-muted">
              <span className="tabular-nums">{usageTime(entry.datetime)}</span>
              <Badge>{labelOf(USAGE_TYPES, entry.type)}</Badge>
            </p>
            <p className="font-medium">{entry.user ?? 'ไม่ทราบชื่อ'}</p>
            <Description entry={entry} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** One value stands beside the words; more are opened. */
function Description({ entry: { description, additional_info: info } }: { entry: UsageEntry }) {
  const [only] = info
  if (only === undefined) return <p>{description}</p>
  if (info.length === 1)
    return (
      <p>
        {description} <span className="text-ink-muted">· {only.name}</span> {only.value}
      </p>
    )
  return (
    <details>
      <summary className="cursor-pointer rounded-control py-0.5">
        {description} <span className="text-ink-muted">· {info.length} ข้อมูล</span>
      </summary>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 pl-4">
        {info.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one name may stand several times, in a fixed order
          <div key={index} className="contents">
            <dt className="text-ink-muted">{name}</dt>
            <dd className="min-w-0">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
