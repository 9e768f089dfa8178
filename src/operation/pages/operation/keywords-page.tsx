import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, CircleCheck, Plus, X } from 'lucide-react'
import { useState } from 'react'
import {
  blacklistWordSchema,
  type OperatorKeywords,
  type UnapprovedKeyword,
  type UnapprovedKeywordImpact,
} from '#contract/operation/operator-keywords.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { runOptimisticChange, useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { KEYWORD_NOISE_LEVELS } from '#src/matching/keyword-impact/impact-text.ts'
import {
  decideKeywordApproval,
  operatorKeywordsQuery,
  unapprovedKeywordImpactQuery,
  updateKeywordBlacklist,
} from '#src/operation/api/operator-keywords.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyCard } from '#src/ui/empty-card.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { ConfirmDialog } from '#src/ui/overlay/confirm-dialog.tsx'
import { preloadModal } from '#src/ui/overlay/modal.tsx'
import { showDoneToast, toastMutationResult } from '#src/ui/overlay/outcome-toasts.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { LabelledValueItem, OperatorList, OperatorPageFrame } from './operator-page-frame.tsx'

/** Impacts that load immediately; the others on demand, because each scans 30 days of projects. */
const EAGER_IMPACTS = 5

export function OperatorKeywordsPage() {
  const keywords = useQuery(useOptimisticQueryOptions(operatorKeywordsQuery))
  return (
    <OperatorPageFrame
      title="คำติดตาม"
      what="คำที่รออนุมัติ"
      query={keywords}
      aside={({ waiting }) => waiting.length > 0 && <Badge tone="updated">รออนุมัติ {formatCount(waiting.length)}</Badge>}
    >
      {({ waiting, blacklist }) => (
        <>
          {waiting.length === 0 ? (
            <EmptyCard icon={CircleCheck} title="ไม่มีคำที่รออนุมัติ">
              คำที่กว้างเกินไปจะมารอที่นี่ และยังไม่จับคู่กับโครงการใดจนกว่าจะอนุมัติ
            </EmptyCard>
          ) : (
            <OperatorList label="คำที่รออนุมัติ">
              {waiting.map((keyword, index) => (
                <WaitingRow key={keyword.id} keyword={keyword} loadsImmediately={index < EAGER_IMPACTS} />
              ))}
            </OperatorList>
          )}
          <KeywordBlacklist words={blacklist} />
        </>
      )}
    </OperatorPageFrame>
  )
}

function WaitingRow({ keyword, loadsImmediately }: { keyword: UnapprovedKeyword; loadsImmediately: boolean }) {
  const { id, word, organisation_name: name, added_by: addedBy, created_at: createdAt } = keyword
  const [isShown, setShown] = useState(loadsImmediately)
  const [isConfirming, setConfirming] = useState(false)
  const judge = (approve: boolean) => {
    const text = approve ? `อนุมัติ “${word}” แล้ว กำลังจับคู่ให้ ${name}` : `ปฏิเสธและลบ “${word}” แล้ว`
    // Not through the hook: the change removes the row, and an unmounted hook runs no callbacks.
    const judged = runOptimisticChange(decideKeywordApproval, { id, approve })
    void judged.then(() => showDoneToast(text)).catch(() => undefined)
  }
  return (
    <li className="grid gap-x-6 gap-y-3 px-4 py-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)_auto] lg:px-5">
      <div className="min-w-0">
        <h2 className="font-semibold wrap-anywhere">{word}</h2>
        <p className="text-sm text-ink-muted wrap-anywhere">{name}</p>
        <p className="text-xs text-ink-muted wrap-anywhere">
          {formatThaiDateTime(createdAt)}
          {addedBy !== null && ` · ${addedBy}`}
        </p>
      </div>
      <div className="min-w-0">
        {isShown ? (
          <Impact id={id} />
        ) : (
          <Button size="sm" onClick={() => setShown(true)} aria-label={`ดูผลของ ${word}`}>
            ดูผลใน 30 วัน
          </Button>
        )}
      </div>
      <div className="flex flex-wrap items-start gap-2">
        <Button size="sm" icon={Check} onClick={() => judge(true)} of={word}>
          อนุมัติ
        </Button>
        <Button size="sm" icon={X} onPointerEnter={preloadModal} onClick={() => setConfirming(true)} of={word}>
          ปฏิเสธ
        </Button>
      </div>
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={`ปฏิเสธ “${word}”`}
        no="ไม่ปฏิเสธ"
        yes="ปฏิเสธและลบ"
        onYes={() => {
          setConfirming(false)
          judge(false)
        }}
      >
        คำนี้จะถูกลบจากรายการของ {name} รายงานไม่เปลี่ยน เพราะคำยังไม่เคยจับคู่ องค์กรเพิ่มคำที่แคบกว่าได้เอง
      </ConfirmDialog>
    </li>
  )
}

const LEVEL_TONES: Readonly<Record<UnapprovedKeywordImpact['level'], BadgeTone>> = {
  too_few: 'neutral',
  good: 'new',
  many: 'updated',
  too_many: 'urgent',
}

function Impact({ id }: { id: number }) {
  const impact = useQuery(unapprovedKeywordImpactQuery(id))
  return (
    <QueryView query={impact} task="โหลดผลของคำ" skeleton={<SkeletonGroup label="กำลังคำนวณผลของคำ" bars={['h-12']} />}>
      {(data) => (
        <div className="space-y-2">
          <div className="grid grid-cols-2 gap-4">
            <LabelledValueItem
              name={`รายงาน ${data.days} วัน`}
              value={`${formatCount(data.before)} → ${formatCount(data.after)}`}
            >
              เพิ่ม {formatCount(data.added)} โครงการ
            </LabelledValueItem>
            <LabelledValueItem name="ต่อวันทำการ" value={String(data.per_working_day)}>
              <Badge tone={LEVEL_TONES[data.level]}>{KEYWORD_NOISE_LEVELS[data.level].name}</Badge>
            </LabelledValueItem>
          </div>
          {data.samples.length > 0 && (
            <details>
              <summary className="cursor-pointer text-sm text-accent-ink touch:py-3">ตัวอย่างที่จะเข้ามา</summary>
              <ul className="list-disc pt-1 pl-5 text-sm text-ink-muted">
                {data.samples.map((name) => (
                  <li key={name} className="wrap-anywhere">
                    {name}
                  </li>
                ))}
              </ul>
            </details>
          )}
        </div>
      )}
    </QueryView>
  )
}

function KeywordBlacklist({ words }: { words: OperatorKeywords['blacklist'] }) {
  const { mutate, mutateAsync } = useMutation(updateKeywordBlacklist)
  const form = useSchemaForm(
    { schema: blacklistWordSchema, fields: ['word'], defaultValues: { word: '' } },
    async ({ word }) => {
      await mutateAsync({ word, add: true })
      form.reset()
    },
  )
  const { error, ...wordField } = form.field('word')
  const refusalText = form.refusal === undefined ? undefined : formatErrorMessage(form.refusal)
  const remove = (word: string) => mutate({ word, add: false }, toastMutationResult(`นำ “${word}” ออกไม่สำเร็จ:`))

  return (
    <Card as="section" aria-labelledby="blacklist" className="space-y-3 px-4 py-3 lg:px-5">
      <div>
        <h2 id="blacklist" className="font-semibold">
          คำที่ห้ามติดตาม <span className="font-normal text-ink-muted tabular-nums">{formatCount(words.length)}</span>
        </h2>
        <p className="text-sm text-ink-muted">ไม่มีองค์กรใดเพิ่มคำเหล่านี้ได้ รายการที่มีคำอยู่ก่อนแล้วยังเก็บไว้</p>
      </div>
      <form noValidate onSubmit={form.submit} className="flex max-w-md items-start gap-2">
        <TextField
          label="คำที่จะห้าม"
          hideLabel
          placeholder="เช่น จำนวน"
          error={error ?? refusalText}
          className="min-w-0 flex-1"
          {...wordField}
        />
        <Button type="submit" icon={Plus} pending={form.isSubmitting}>
          เพิ่ม
        </Button>
      </form>
      {words.length === 0 ? (
        <p className="text-sm text-ink-muted">ยังไม่มีคำที่ห้าม</p>
      ) : (
        <ul aria-label="คำที่ห้ามติดตาม" className="flex flex-wrap gap-2">
          {words.map(({ word, created_at: createdAt }) => (
            <li
              key={word}
              title={`ตั้งแต่ ${formatThaiDateTime(createdAt)}`}
              className="inline-flex items-center gap-1 rounded-full border border-line bg-surface-muted pl-3 wrap-anywhere"
            >
              {word}
              <IconButton icon={X} label={`นำ ${word} ออก`} onClick={() => remove(word)} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
