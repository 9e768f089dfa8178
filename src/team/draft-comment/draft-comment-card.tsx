import { useQuery } from '@tanstack/react-query'
import { Download, MailPlus } from 'lucide-react'
import { useState } from 'react'
import { DRAFT_PROJECT_MOVEMENTS } from '#contract/catalogue/bid-state.ts'
import { getDraftCommentNote } from '#contract/report/appeal.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { type DraftComment, getDraftCommentDay } from '#contract/team/draft-comment.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { useUser } from '#src/account/api/users.ts'
import { ActionButton, ConfirmedAction } from '#src/account/form-refusal/action-button.tsx'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { downloadDraftLetter, withdrawDraftComment } from '#src/team/api/draft-comments.ts'
import { pursuitQuery } from '#src/team/api/pursuits.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { DraftLetterDialog } from './draft-letter-dialog.tsx'

/** Renders nothing unless a comment on the draft can still be sent or was sent. */
export function DraftCommentCard({ row, today }: { row: ReportRow; today: string }) {
  const { project_id: id, draft_discussion_end_date: lastDay } = row
  const { data: detail } = useQuery(useOptimisticQueryOptions(pursuitQuery(id)))
  const [isWriting, setWriting] = useState(false)
  const comments = detail?.draft_comments ?? []
  const isOpen =
    row.status === 'in_progress' &&
    (lastDay === null ? DRAFT_PROJECT_MOVEMENTS.includes(row.movement) : lastDay >= today)
  if (!detail || (!isOpen && comments.length === 0)) return null
  const note = getDraftCommentNote(row.method, lastDay, getDraftCommentDay(comments))
  return (
    <Card as="section" aria-label="วิจารณ์ร่าง" className="px-5 pt-4 pb-4 print:hidden">
      <h2 className="text-md font-semibold">วิจารณ์ร่าง</h2>
      {note && <p className="mt-1 text-sm text-ink-muted">{note}</p>}
      {comments.length > 0 && (
        <ul className="mt-2 divide-y divide-line">
          {comments.map((comment) => (
            <SentLetter key={comment.id} projectId={id} comment={comment} />
          ))}
        </ul>
      )}
      {isOpen && (
        <Button icon={MailPlus} className="mt-3" onClick={() => setWriting(true)}>
          เขียนจดหมายข้อสังเกต
        </Button>
      )}
      {isWriting && <DraftLetterDialog row={row} onClose={() => setWriting(false)} />}
    </Card>
  )
}

function SentLetter({ projectId, comment }: { projectId: string; comment: DraftComment }) {
  const user = useUser()
  const { data: settings } = useQuery(pursuitSettingsQuery)
  const author = settings && (settings.members.find(({ id }) => id === comment.by)?.name ?? 'อดีตเพื่อนร่วมงาน')
  const day = formatThaiDateShortOrOriginal(comment.commented_on)
  const isWithdrawn = comment.withdrawn_at !== null
  const mayWithdraw = !isWithdrawn && (comment.by === Number(user.id) || user.role === 'super_user')
  return (
    <li className="py-2">
      <details>
        <summary className="cursor-pointer touch:py-2.5">
          {isWithdrawn ? <s>ส่งเมื่อ {day}</s> : <span className="font-medium">ส่งเมื่อ {day}</span>}{' '}
          <span className="text-sm text-ink-muted">
            {author && `บันทึกโดย ${author}`}
            {isWithdrawn && ' · ยกเลิกบันทึกแล้ว'}
          </span>
        </summary>
        <p className="mt-2 max-h-80 overflow-y-auto rounded-control bg-surface-muted p-3 text-sm wrap-anywhere whitespace-pre-wrap [tab-size:2]">
          {comment.text}
        </p>
        <div className="mt-2 flex flex-wrap gap-2">
          <ActionButton
            size="sm"
            icon={Download}
            run={() => downloadDraftLetter(projectId, comment.text)}
            failed="ดาวน์โหลด Word ไม่สำเร็จ"
          >
            ดาวน์โหลด Word
          </ActionButton>
          {mayWithdraw && (
            <ConfirmedAction
              label="ยกเลิกบันทึกจดหมาย"
              question="จดหมายยังอ่านได้ แต่จะไม่นับว่าวิจารณ์ร่างแล้ว"
              no="ไม่ยกเลิก"
              yes="ยกเลิกบันทึก"
              run={() => withdrawDraftComment(projectId, comment.id)}
              failed="ยกเลิกบันทึกไม่สำเร็จ"
              className="basis-full"
            >
              {(ask) => (
                <Button size="sm" onClick={ask}>
                  บันทึกผิด ยกเลิก
                </Button>
              )}
            </ConfirmedAction>
          )}
        </div>
      </details>
    </li>
  )
}
