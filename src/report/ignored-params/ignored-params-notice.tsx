import { useState } from 'react'
import type { IgnoredQueryParam, QueryParam } from '#contract/http/query-params.ts'
import { Notice } from '#src/ui/notice.tsx'

type IgnoredParamsProps = { params: readonly Pick<QueryParam, 'name' | 'th'>[]; ignored: readonly IgnoredQueryParam[] }

const MAX_ECHO_LENGTH = 60

export function IgnoredParamsNotice({ params, ignored }: IgnoredParamsProps) {
  const [closedKeys, setClosed] = useState<ReadonlySet<string>>(() => new Set())
  const thaiName = (name: string) => params.find((param) => param.name === name)?.th
  const describe = (name: string, value: string) => `${thaiName(name) ?? name} “${value.slice(0, MAX_ECHO_LENGTH)}”`
  const invalid = ignored
    .filter(({ reason }) => reason === 'invalid')
    .map(({ name, value }) => describe(name, value))
    .join(', ')
  const unknown = ignored
    .filter(({ reason }) => reason === 'unknown')
    .map(({ name, value }) => (thaiName(name) === undefined ? name.slice(0, MAX_ECHO_LENGTH) : describe(name, value)))
    .join(', ')
  const notices = [
    { key: `invalid ${invalid}`, warns: true, what: invalid, words: 'ตัวกรองบางส่วนอ่านไม่ได้ จึงไม่ได้กรอง' },
    { key: `unknown ${unknown}`, warns: false, what: unknown, words: 'ไม่ได้ใช้ส่วนของลิงก์ที่ไม่รู้จัก' },
  ].filter(({ key, what: details }) => details !== '' && !closedKeys.has(key))
  if (notices.length === 0) return null
  return (
    <div role="status" className="flex flex-col gap-2 print:hidden">
      {notices.map(({ key, warns, what: details, words }) => (
        <Notice key={key} warns={warns} onClose={() => setClosed(new Set([...closedKeys, key]))}>
          {words}: {details}
        </Notice>
      ))}
    </div>
  )
}
