import { type ReactNode, useState } from 'react'

/** Maximum characters shown: the longest of 1.39 million real titles has 583. */
const MAX_NAME_LENGTH = 600

type LongNameProps = { name: string; children?: ReactNode }

export function ExpandableName({ name, children = name }: LongNameProps) {
  const [isWhole, setIsWhole] = useState(false)
  if (name.length <= MAX_NAME_LENGTH) return children
  return (
    <>
      <span className={isWhole ? undefined : 'line-clamp-4 print:line-clamp-none'}>{children}</span>
      <button
        type="button"
        aria-expanded={isWhole}
        onClick={() => setIsWhole(!isWhole)}
        className="rounded-control text-sm font-normal text-accent-ink hover:underline touch:min-h-11 print:hidden"
      >
        {isWhole ? 'ย่อชื่อ' : 'ดูชื่อเต็ม'}
      </button>
    </>
  )
}
