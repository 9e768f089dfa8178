import { TextButton } from './text-button.tsx'
import { type ReactNode, useState } from 'react'

/** Maximum characters shown: the longest of 1.39 million real titles has 583. */
const MAX_NAME_LENGTH = 600

export function ExpandableName({ name, children = name }: { name: string; children?: ReactNode }) {
  const [isWhole, setIsWhole] = useState(false)
  if (name.length <= MAX_NAME_LENGTH) return children
  return (
    <>
      <span className={isWhole ? undefined : 'line-clamp-4 print:line-clamp-none'}>{children}</span>
      <TextButton
        aria-expanded={isWhole}
        onClick={() => setIsWhole(!isWhole)}
        className="text-sm font-normal print:hidden"
      >
        {isWhole ? 'ย่อชื่อ' : 'ดูชื่อเต็ม'}
      </TextButton>
    </>
  )
}
