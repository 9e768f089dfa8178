import { useQuery } from '@tanstack/react-query'
import { ListPlus, SearchX } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { isSuspendedOn } from '#contract/account/report-card.ts'
import { extractProjectId } from '#contract/catalogue/project-id.ts'
import type { LikelyBidders } from '#contract/market/company-comparison.ts'
import { MAX_COMPARED_COMPANIES } from '#contract/market/company-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useReportCards } from '#src/account/api/report-cards.ts'
import { ReportCardBadge } from '#src/account/report-card/report-card-badge.tsx'
import { toCompanyParam } from '#src/lib/company-url.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { likelyBiddersQuery } from '#src/market/api/company-comparisons.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { useComparisonUrlState } from './scope/use-comparison-url-state.ts'

export function LikelyBiddersButton() {
  const { names, compare } = useComparisonUrlState()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="link"
        icon={ListPlus}
        aria-haspopup="dialog"
        onPointerEnter={preloadModal}
        onFocus={preloadModal}
        onClick={() => setOpen(true)}
        className="print:hidden"
      >
        เติมผู้ที่น่าจะยื่นของโครงการ…
      </Button>
      <Modal
        open={open}
        onClose={() => setOpen(false)}
        title="ผู้ที่น่าจะยื่น"
        description="วางเลขที่โครงการในรายงาน แล้วเลือกจากบริษัทที่เคยยื่นหรือชนะงานคล้ายกัน"
      >
        <LikelyForm
          onAdd={(added) => {
            setOpen(false)
            compare([...names, ...added])
          }}
        />
      </Modal>
    </>
  )
}

const UNREADABLE = 'ไม่พบเลขที่โครงการ วางเลข 11 หลักของโครงการเดียว หรือลิงก์จาก e-GP'

type LikelyFormProps = { onAdd: (names: readonly string[]) => void }

function LikelyForm({ onAdd }: LikelyFormProps) {
  const { register, handleSubmit, clearErrors, formState } = useForm({
    defaultValues: { project: '' },
    reValidateMode: 'onSubmit',
  })
  const problem = formState.errors.project?.message
  const [id, setId] = useState<string>()
  const bidders = useQuery({ ...likelyBiddersQuery(id ?? ''), enabled: id !== undefined })
  const submit = handleSubmit(
    ({ project }) => setId(extractProjectId(project)),
    () => setId(undefined),
  )
  return (
    <div className="p-4">
      <form onSubmit={submit} noValidate className="flex items-end gap-2 max-sm:flex-col max-sm:items-stretch">
        <TextField
          data-autofocus
          label="เลขที่โครงการ"
          className="min-w-0 flex-1"
          autoComplete="off"
          spellCheck={false}
          placeholder="วางเลข 11 หลัก หรือลิงก์จาก e-GP"
          {...register('project', {
            validate: (text) => extractProjectId(text) !== undefined || UNREADABLE,
            onChange: () => clearErrors(),
          })}
          error={problem}
        />
        <Button type="submit" pending={bidders.isFetching} className={problem ? 'sm:mb-7' : undefined}>
          ค้นหา
        </Button>
      </form>
      <div className="mt-4">
        {id !== undefined && (
          <QueryView
            query={bidders}
            task="ค้นหาผู้ที่น่าจะยื่น"
            barsClassName="flex flex-col gap-3"
            bars={['w-3/4', '', 'w-1/2']}
            notFound={
              <p role="status" className="rounded-control bg-surface-muted px-3 py-2 text-ink-muted">
                ไม่มีโครงการ {id} ในรายงานขององค์กร
              </p>
            }
          >
            {(likely) => <LikelyList key={likely.project.project_id} likely={likely} onAdd={onAdd} />}
          </QueryView>
        )}
      </div>
    </div>
  )
}

function LikelyList({ likely: { project, results }, onAdd }: LikelyFormProps & { likely: LikelyBidders }) {
  const { names } = useComparisonUrlState()
  const freeSlots = MAX_COMPARED_COMPANIES - names.length
  const reportCards = useReportCards()
  const today = useBangkokToday()
  const offered = results
    .map((likely) => {
      const card = reportCards.get(likely.company.tax_id ?? '')
      return {
        ...likely,
        name: toCompanyParam(likely.company),
        isSuspended: !!card && isSuspendedOn(card, project.submission_end_date ?? today),
      }
    })
    .toSorted((a, b) => Number(a.isSuspended) - Number(b.isSuspended))
  const selectable = offered.filter(({ name, isSuspended }) => !isSuspended && !names.includes(name))
  const [chosen, setTicked] = useState<readonly string[]>()
  // Derived on each render, because report cards may load after the companies, and suspended ones stay unticked.
  const ticked = chosen ?? selectable.slice(0, freeSlots).map(({ name }) => name)
  if (results.length === 0)
    return (
      <EmptyState icon={SearchX} title="ยังไม่รู้ว่าใครน่าจะยื่น">
        ไม่มีบริษัทที่เคยยื่นหรือชนะงานคล้าย “{project.name}”
      </EmptyState>
    )
  return (
    <>
      <p className="font-medium">{project.name}</p>
      <ul className="mt-2 divide-y divide-line">
        {offered.map(({ name, company, reason }) => {
          const isChosen = names.includes(name)
          const isTicked = ticked.includes(name)
          return (
            <li key={company.id} className="py-2">
              <Checkbox
                checked={isChosen || isTicked}
                disabled={isChosen || (!isTicked && ticked.length >= freeSlots)}
                onChange={() => setTicked(isTicked ? ticked.filter((item) => item !== name) : [...ticked, name])}
              >
                {company.name}
                {isChosen && <span className="text-ink-muted"> (เทียบอยู่แล้ว)</span>}
                <span className="block text-xs text-ink-muted">{reason}</span>
                <ReportCardBadge taxId={company.tax_id} />
              </Checkbox>
            </li>
          )
        })}
      </ul>
      <div className="mt-3 flex items-center justify-between gap-3">
        <p className="text-sm text-ink-muted">
          เทียบได้ {MAX_COMPARED_COMPANIES} บริษัท ว่างอีก {Math.max(0, freeSlots - ticked.length)}
        </p>
        <Button variant="primary" disabled={ticked.length === 0} onClick={() => onAdd(ticked)}>
          เพิ่ม {formatCount(ticked.length)} บริษัท
        </Button>
      </div>
    </>
  )
}
