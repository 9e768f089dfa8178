import type { IgnoredQueryParam, QueryParam } from '#contract/http/query-params.ts'
import { NoticeList } from '#src/ui/notice.tsx'

type IgnoredParams = {
  params: readonly Pick<QueryParam, 'name' | 'th'>[]
  ignored: readonly Pick<IgnoredQueryParam, 'name' | 'value' | 'reason'>[]
}

const MAX_ECHO_LENGTH = 60

/** `hintOf` returns what the notice adds to an invalid parameter, such as its limit. */
export function listIgnoredParamNotices({ params, ignored }: IgnoredParams, hintOf = (_name: string) => '') {
  const thaiName = (name: string) => params.find((param) => param.name === name)?.th
  const describe = (name: string, value: string) => `${thaiName(name) ?? name} “${value.slice(0, MAX_ECHO_LENGTH)}”`
  const invalid = ignored
    .filter(({ reason }) => reason === 'invalid')
    .map(({ name, value }) => describe(name, value) + hintOf(name))
    .join(', ')
  const unknown = ignored
    .filter(({ reason }) => reason === 'unknown')
    .map(({ name, value }) => (thaiName(name) === undefined ? name.slice(0, MAX_ECHO_LENGTH) : describe(name, value)))
    .join(', ')
  return [
    invalid && { key: `invalid ${invalid}`, warns: true, text: `ตัวกรองบางส่วนอ่านไม่ได้ จึงไม่ได้กรอง: ${invalid}` },
    unknown && { key: `unknown ${unknown}`, text: `ไม่ได้ใช้ส่วนของลิงก์ที่ไม่รู้จัก: ${unknown}` },
  ]
}

export function IgnoredParamsNotice(props: IgnoredParams) {
  return <NoticeList notices={listIgnoredParamNotices(props)} className="print:hidden" />
}
