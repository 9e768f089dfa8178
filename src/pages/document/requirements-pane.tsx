import { useQuery } from '@tanstack/react-query'
import { CircleCheck, FileSearch, ListPlus } from 'lucide-react'
import type { ProjectDocument } from '#contract/document/project-document.ts'
import { REQUIREMENT_KINDS, type Requirement } from '#contract/document/requirement.ts'
import { LONGEST_ITEM, MOST_ITEMS } from '#contract/pursuit/pursuit-settings.ts'
import { requirementsQuery } from '#src/api/document/comparisons.ts'
import { errorRequestId, errorText } from '#src/api/http/problem-error.ts'
import { isDemo } from '#src/api/keyword/demo.ts'
import { patchPursuit } from '#src/api/pursuit/pursuit-patches.ts'
import { pursuitQuery } from '#src/api/pursuit/pursuits.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Button } from '#src/ui/button.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import type { Passage } from './use-reader.ts'

type RequirementsPaneProps = {
  document: ProjectDocument
  current: Passage | undefined
  onPassage: (passage: Passage) => void
}

/** The same for the same clause of the same document: added twice it is one item. */
const itemId = (document: ProjectDocument, { number, page, kind }: Requirement) =>
  `doc-${document.id}-${kind}-${page}-${number}`.replace(/[^\w-]/g, '_').slice(0, 64)

/** What stands in the checklist: the clause as far as there is room, with its place. */
function itemText({ kind, number, text, page }: Requirement): string {
  const place = ` (${number === '' ? '' : `ข้อ ${number} `}หน้า ${page})`
  const begin = `${REQUIREMENT_KINDS[kind]}: `
  const room = LONGEST_ITEM - begin.length - place.length
  return `${begin}${text.length > room ? `${text.slice(0, room - 1).toWellFormed()}…` : text}${place}`
}

/** What the document wants of whoever bids, clause by clause, each of which can go into the team's checklist. */
export function RequirementsPane({ document, current, onPassage }: RequirementsPaneProps) {
  const { data, error, refetch, isFetching } = useQuery({
    ...requirementsQuery(document.id),
    enabled: document.state === 'read',
  })
  const mayAdd = !isDemo()
  const { data: detail } = useQuery({ ...pursuitQuery(document.project_id), enabled: mayAdd && data !== undefined })
  if (document.state !== 'read')
    return <p className="px-5 py-4 text-sm text-ink-muted">เอกสารนี้ไม่มีข้อความให้อ่าน เปิดหน้าเอกสารเพื่อดูข้อกำหนดเอง</p>
  if (error)
    return (
      <ErrorNotice
        className="m-4"
        title="อ่านข้อกำหนดไม่สำเร็จ"
        reason={errorText(error)}
        requestId={errorRequestId(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    )
  if (!data)
    return (
      <SkeletonGroup label="กำลังอ่านข้อกำหนด" className="flex flex-col gap-3 px-5 py-4">
        <Skeleton className="w-1/2" />
        <Skeleton className="h-16 w-full" />
      </SkeletonGroup>
    )
  const { requirements } = data
  if (requirements.length === 0)
    return (
      <p className="px-5 py-4 text-sm text-ink-muted">
        ไม่พบข้อกำหนดของผู้ยื่นที่ระบบรู้จัก ไม่ได้แปลว่าไม่มี อ่านหัวข้อคุณสมบัติและหลักฐานการยื่นข้อเสนอในเอกสารก่อนตัดสินใจ
      </p>
    )
  const listed = new Set(detail?.pursuit?.checklist.map(({ id }) => id))
  const missing = requirements.filter((one) => !listed.has(itemId(document, one)))
  const room = MOST_ITEMS - listed.size
  const add = (added: readonly Requirement[]) =>
    void patchPursuit(
      document.project_id,
      added.slice(0, room).map((one) => ({ action: 'add_item', id: itemId(document, one), text: itemText(one) })),
      { failed: 'เพิ่มเข้ารายการตรวจไม่สำเร็จ', done: `เพิ่ม ${Math.min(added.length, room)} ข้อเข้ารายการตรวจแล้ว` },
    )
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-5 pt-3 pb-2">
        <p className="min-w-0 flex-1 basis-40 text-xs text-ink-muted">
          ข้อที่กำหนดคุณสมบัติและสิ่งที่ต้องยื่น ตามถ้อยคำในเอกสาร อาจมีข้ออื่นที่ระบบไม่รู้จัก
        </p>
        {mayAdd && detail && missing.length > 0 && (
          <Button icon={ListPlus} disabled={room <= 0} onClick={() => add(missing)}>
            ใส่ลงรายการตรวจ {missing.length} ข้อ
          </Button>
        )}
      </div>
      <ul className="divide-y divide-line border-y border-line">
        {requirements.map((one) => (
          <li key={itemId(document, one)}>
            <button
              type="button"
              aria-pressed={one === current}
              onClick={() => onPassage(one)}
              className={classNames(
                'block w-full border-l-3 px-5 py-3 text-left hover:bg-surface-muted focus-visible:-outline-offset-2',
                one === current ? 'border-accent bg-accent-soft' : 'border-transparent',
              )}
            >
              <span className="flex items-center gap-2 text-xs text-ink-muted">
                <span className="min-w-0 flex-1">
                  <b className="font-semibold text-ink">{REQUIREMENT_KINDS[one.kind]}</b>
                  {one.number !== '' && ` · ข้อ ${one.number}`}
                </span>
                {listed.has(itemId(document, one)) && (
                  <span className="inline-flex items-center gap-1 text-accent-ink">
                    <CircleCheck aria-hidden className="size-3.5" /> อยู่ในรายการตรวจ
                  </span>
                )}
                <span className="inline-flex items-center gap-1 text-accent-ink">
                  <FileSearch aria-hidden className="size-3.5" /> หน้า {one.page}
                </span>
              </span>
              <span className="mt-1 line-clamp-4 block text-sm [overflow-wrap:anywhere]">{one.text}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
