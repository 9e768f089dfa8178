import { plainText } from './filter-name.ts'
import type { SavedWords } from './saved-filter-context.ts'

/** Filters in words, under each other. */
export function SavedWordsList({ words }: { words: readonly SavedWords[] }) {
  return (
    <ul className="rounded-control border border-line bg-surface-muted px-3 py-2 text-sm">
      {words.map(({ label, value, negated }) => (
        <li key={`${label} ${value}`} className="wrap-anywhere">
          {label && <span className="text-ink-muted">{label} </span>}
          {negated && <span className="text-urgent">ไม่ใช่ </span>}
          <span className="font-medium">{plainText(value)}</span>
        </li>
      ))}
    </ul>
  )
}
