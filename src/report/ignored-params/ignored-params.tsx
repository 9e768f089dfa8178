import { useState } from 'react'
import type { FlatParam, IgnoredFlatParam } from '#contract/http/flat-params.ts'
import { Notice } from '#src/ui/notice.tsx'

type IgnoredParamsProps = { params: readonly Pick<FlatParam, 'name' | 'th'>[]; ignored: readonly IgnoredFlatParam[] }

/** Longest part of an address that is echoed to the user. */
const MOST = 60

/** Lists link parameters that the screen ignores: `invalid` values, and `unknown` names or values of `params`. */
export function IgnoredParams({ params, ignored }: IgnoredParamsProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(() => new Set())
  const thaiName = (name: string) => params.find((param) => param.name === name)?.th
  const describe = (name: string, value: string) => `${thaiName(name) ?? name} “${value.slice(0, MOST)}”`
  const invalid = ignored
    .filter(({ reason }) => reason === 'invalid')
    .map(({ name, value }) => describe(name, value))
    .join(', ')
  const unknown = ignored
    .filter(({ reason }) => reason === 'unknown')
    .map(({ name, value }) => (thaiName(name) === undefined ? name.slice(0, MOST) : describe(name, value)))
    .join(', ')
  const notices = [
    { key: `invalid ${invalid}`, warns: true, what: invalid, words: 'ตัวกรองบางส่วนอ่านไม่ได้ จึงไม่ได้กรอง' },
    { key: `unknown ${unknown}`, warns: false, what: unknown, words: 'ไม่ได้ใช้ส่วนของลิงก์ที่ไม่รู้จัก' },
  ].filter(({ key, what }) => what !== '' && !closed.has(key))
  if (notices.length === 0) return null
  return (
    <div role="status" className="flex flex-col gap-2 print:hidden">
      {notices.map(({ key, warns, what, words }) => (
        <Notice key={key} warns={warns} onClose={() => setClosed(new Set([...closed, key]))}>
          {words}: {what}
        </Notice>
      ))}
    </div>
  )
}
