import { useQuery } from '@tanstack/react-query'
import { CircleCheck, ListPlus } from 'lucide-react'
import { MAX_CHECKLIST_ITEM_LENGTH, MAX_PURSUIT_CHECKLIST_ITEMS } from '#contract/account/pursuit-settings.ts'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import {
  type DocumentRequirement,
  REQUIREMENT_KINDS,
  REQUIREMENT_VERDICTS,
  type RequirementVerdict,
} from '#contract/documents/requirement.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { QualificationSettingsLink } from '#src/account/qualification-link/qualification-settings-link.tsx'
import { documentRequirementsQuery } from '#src/documents/api/comparisons.ts'
import { patchPursuit } from '#src/team/api/pursuit-patches.ts'
import { pursuitQuery } from '#src/team/api/pursuits.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { DocumentPassageButton, PassageMark } from './document-passage-button.tsx'
import type { DocumentPassage } from './use-document-reader.ts'

type RequirementsPaneProps = {
  document: ProjectDocument
  current: DocumentPassage | undefined
  onPassage: (passage: DocumentPassage) => void
}

/** Returns a deterministic id per clause, so that adding a clause twice creates one checklist item. */
const itemId = (document: ProjectDocument, { number, page, kind }: DocumentRequirement) =>
  `doc-${document.id}-${kind}-${page}-${number}`.replace(/[^\w-]/g, '_').slice(0, 64)

function itemText({ kind, number, text, page }: DocumentRequirement): string {
  const suffix = ` (${number === '' ? '' : `ข้อ ${number} `}หน้า ${page})`
  const prefix = `${REQUIREMENT_KINDS[kind]}: `
  const maxTextLength = MAX_CHECKLIST_ITEM_LENGTH - prefix.length - suffix.length
  return `${prefix}${text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1).toWellFormed()}…` : text}${suffix}`
}

function summaryText(requirements: readonly DocumentRequirement[]): string {
  const counts = (Object.keys(REQUIREMENT_VERDICTS) as RequirementVerdict[]).map(
    (can) => `${REQUIREMENT_VERDICTS[can]} ${requirements.filter(({ answer }) => answer.can === can).length}`,
  )
  return `จาก ${requirements.length} ข้อที่พบ: ${counts.join(' · ')}`
}

export function DocumentRequirementsPane({ document, current, onPassage }: RequirementsPaneProps) {
  const requirements = useQuery({
    ...documentRequirementsQuery(document.id),
    enabled: document.state === 'read',
  })
  if (document.state !== 'read')
    return <p className="px-5 py-4 text-sm text-ink-muted">เอกสารนี้ไม่มีข้อความให้อ่าน เปิดหน้าเอกสารเพื่อดูข้อกำหนดเอง</p>
  return (
    <QueryView
      query={requirements}
      task="อ่านข้อกำหนด"
      notesStale
      errorClassName="m-4"
      barsClassName="flex flex-col gap-3 px-5 py-4"
      bars={['w-1/2', 'h-16 w-full']}
      isEmpty={(data) => data.requirements.length === 0}
      empty={
        <p className="px-5 py-4 text-sm text-ink-muted">
          ไม่พบข้อกำหนดของผู้ยื่นที่ระบบรู้จัก ไม่ได้แปลว่าไม่มี อ่านหัวข้อคุณสมบัติและหลักฐานการยื่นข้อเสนอในเอกสารก่อนตัดสินใจ
        </p>
      }
    >
      {(data) => (
        <Requirements document={document} requirements={data.requirements} current={current} onPassage={onPassage} />
      )}
    </QueryView>
  )
}

function Requirements({
  document,
  requirements,
  current,
  onPassage,
}: RequirementsPaneProps & { requirements: readonly DocumentRequirement[] }) {
  const mayAdd = !isDemoSession()
  const { data: detail } = useQuery({ ...pursuitQuery(document.project_id), enabled: mayAdd })
  const listedIds = new Set(detail?.pursuit?.checklist.map(({ id }) => id))
  const missing = requirements.filter((requirement) => !listedIds.has(itemId(document, requirement)))
  const freeItems = MAX_PURSUIT_CHECKLIST_ITEMS - listedIds.size
  const add = (added: readonly DocumentRequirement[]) =>
    void patchPursuit(
      document.project_id,
      added
        .slice(0, freeItems)
        .map((requirement) => ({ action: 'add_item', id: itemId(document, requirement), text: itemText(requirement) })),
      { failed: 'เพิ่มเข้ารายการตรวจไม่สำเร็จ', done: `เพิ่ม ${Math.min(added.length, freeItems)} ข้อเข้ารายการตรวจแล้ว` },
    )
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-5 pt-3 pb-2">
        <p className="min-w-0 flex-1 basis-40 text-xs text-ink-muted">
          {summaryText(requirements)} อาจมีข้ออื่นที่ระบบไม่รู้จัก กดข้อเพื่ออ่านถ้อยคำในเอกสารก่อนตัดสินใจ
        </p>
        {mayAdd && detail && missing.length > 0 && (
          <Button icon={ListPlus} disabled={freeItems <= 0} onClick={() => add(missing)}>
            ใส่ลงรายการตรวจ {missing.length} ข้อ
          </Button>
        )}
      </div>
      <ul className="divide-y divide-line border-y border-line">
        {requirements.map((requirement) => {
          const { kind, number, text, page, answer } = requirement
          const id = itemId(document, requirement)
          return (
            <li key={id}>
              <DocumentPassageButton
                label={
                  <>
                    <b className="font-semibold text-ink">{REQUIREMENT_KINDS[kind]}</b>
                    {number !== '' && ` · ข้อ ${number}`}
                  </>
                }
                mark={listedIds.has(id) && <PassageMark icon={CircleCheck}>อยู่ในรายการตรวจ</PassageMark>}
                page={page}
                isCurrent={requirement === current}
                onOpen={() => onPassage(requirement)}
                className="pb-1"
              >
                <span className="mt-1 line-clamp-4 block text-sm [overflow-wrap:anywhere]">{text}</span>
              </DocumentPassageButton>
              <p className="px-5 pt-1 pb-3 pl-[23px] text-sm [overflow-wrap:anywhere]">
                <Badge tone={TONES[answer.can]} className="mr-1.5 align-[1px]">
                  {REQUIREMENT_VERDICTS[answer.can]}
                </Badge>
                {answer.reason}
                {answer.missing !== null && (
                  <>
                    {' · '}
                    <QualificationSettingsLink />
                  </>
                )}
              </p>
            </li>
          )
        })}
      </ul>
    </>
  )
}

const TONES = { yes: 'accent', no: 'urgent', ask: 'updated' } as const
