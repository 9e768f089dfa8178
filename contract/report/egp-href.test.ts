import { expect, test } from 'vitest'
import { reportRow } from '../../test/report-row.ts'
import { getEgpProjectHref } from './egp-href.ts'

const PAGE =
  'http://process.gprocurement.go.th/egp2procmainWeb/jsp/procsearch.sch?servlet=gojsp&proc_id=ShowHTMLFile&processFlows=Procure'
const file = (url: string) => ({ name: 'ประกาศ.pdf', url, step: 'invited', published_date: null })

test.each([
  // Links as in e-GP's feed, which had 785 results, 31 first cancellations and one invitation in May 2569.
  [
    'winner_announced',
    '69059441065',
    `${PAGE}&projectId=69059441065&templateType=W2&temp_Announ=A&temp_itemNo=0&seqNo=1`,
  ],
  [
    'contract_created',
    '69059441065',
    `${PAGE}&projectId=69059441065&templateType=W2&temp_Announ=A&temp_itemNo=0&seqNo=1`,
  ],
  [
    'invitation_cancelled',
    '69059336925',
    `${PAGE}&projectId=69059336925&templateType=D2&temp_Announ=D&temp_itemNo=1&seqNo=1`,
  ],
  ['invited', '69059390446', `${PAGE}&projectId=69059390446&templateType=D2&temp_Announ=A&temp_itemNo=0&seqNo=0`],
  [
    'a word that we do not know',
    '69059390446',
    `${PAGE}&projectId=69059390446&templateType=D2&temp_Announ=A&temp_itemNo=0&seqNo=0`,
  ],
])('%s: the project number of %s is enough to link to its announcement', (movement, project_id, href) => {
  expect(getEgpProjectHref(reportRow({ project_id, movement, attachments: [] }))).toBe(href)
})

test('prefers the newest e-GP address among the attachments and ignores other hosts', () => {
  const attachments = [
    file('https://process5.gprocurement.go.th/old'),
    file('https://process5.gprocurement.go.th/new'),
    file('https://gprocurement.go.th.example/'),
    file('javascript:alert(1)'),
  ]
  expect(getEgpProjectHref(reportRow({ project_id: '69059390446', attachments }))).toBe(
    'https://process5.gprocurement.go.th/new',
  )
})

test('a row with only an attachment count uses its single e-GP address', () => {
  const { attachments: _listed, ...row } = reportRow({ project_id: '69059390446' })
  const counted = (egp: string | null) => getEgpProjectHref({ ...row, attachment_summary: { count: 3, egp } })
  expect(counted('https://process5.gprocurement.go.th/new')).toBe('https://process5.gprocurement.go.th/new')
  expect(counted(null)).toBe(getEgpProjectHref(reportRow({ project_id: '69059390446', attachments: [] })))
  for (const url of ['javascript:alert(1)', 'https://gprocurement.go.th.example/'])
    expect(counted(url)).toBe(counted(null))
})

test.each(['69118000001', '00000000003', 'ocds-x-1', '690594409531', '6905944095', '๖๙๐๕๙๔๔๐๙๕๓'])(
  '%s is not an e-GP number: the link would open another project or none',
  (project_id) => {
    const attachments = [file('https://process5.gprocurement.go.th/new')]
    expect(getEgpProjectHref(reportRow({ project_id, attachments }))).toBeUndefined()
  },
)

test.each(['59055055679', '58096024388', '66037480710', '69059390446'])(
  '%s is in a known e-GP series',
  (project_id) => {
    expect(getEgpProjectHref(reportRow({ project_id, attachments: [] }))).toContain(`projectId=${project_id}&`)
  },
)
