import { useQuery } from '@tanstack/react-query'
import { Building2, SearchX } from 'lucide-react'
import { useForm, useWatch } from 'react-hook-form'
import type { CompanyRef } from '#contract/market/company.ts'
import type { FirstListProposal } from '#contract/market/first-list.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { getErrorText, getFieldErrors } from '#src/lib/problem-error.ts'
import { useOnChange } from '#src/lib/use-on-change.ts'
import { companyListQuery } from '#src/market/api/companies.ts'
import { firstListQuery } from '#src/market/api/first-list.ts'
import { hasDemoLogin } from '#src/shell/session/has-demo-login.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { FirstListProofPanel } from './first-list-proof-panel.tsx'
import { FirstListProposalForm } from './first-list-proposal-form.tsx'
import {
  createFirstListSelection,
  type FirstListSelection,
  type FirstListSelectionProps,
} from './first-list-selection.ts'

type FirstListStepProps = Omit<FirstListSelectionProps, 'selection'> & {
  company: string
  selection: FirstListSelection | undefined
  onCompany: (company: string) => void
  onWithoutWins: () => void
}

export function FirstListStep({
  company,
  selection,
  remaining,
  onCompany,
  onSelect,
  onWithoutWins,
}: FirstListStepProps) {
  const { register, handleSubmit, setValue, control, formState } = useForm({ defaultValues: { company } })
  const typed = useWatch({ control, name: 'company' }).trim()
  const query = useQuery(firstListQuery(company))
  const refusal = getFieldErrors(query.error, ['company'])[0]?.[1]
  const submit = handleSubmit(() => {
    if (typed === company) void query.refetch()
    else onCompany(typed)
  })
  const choose = (ref: CompanyRef) => {
    const text = ref.tax_id ?? ref.name
    setValue('company', text, { shouldValidate: true })
    onCompany(text)
  }
  const example = useExampleCompany()
  const { data } = query
  const proposed = data?.company && data.proposal ? createFirstListSelection(data.company, data.proposal) : undefined
  const isNew = proposed !== undefined && proposed.company_id !== selection?.company_id
  // The draft starts with the proposed ticks, so that it can be saved without touching any.
  useOnChange(isNew, () => {
    if (isNew) onSelect(proposed)
  })
  return (
    <div className="space-y-4">
      <form onSubmit={submit} noValidate className="flex max-w-3xl flex-wrap items-start gap-2">
        <TextField
          label="เลขประจำตัวผู้เสียภาษี 13 หลักของบริษัท"
          hint="มีขีดหรือเว้นวรรคได้ ถ้าจำเลขไม่ได้ พิมพ์ชื่อบริษัท"
          icon={Building2}
          maxLength={300}
          autoComplete="off"
          {...register('company', { validate: (text) => text.trim() !== '' || 'ใส่เลข 13 หลัก หรือชื่อบริษัท' })}
          error={formState.errors.company?.message ?? (typed === company ? refusal : undefined)}
          className="min-w-0 flex-1 basis-72"
        />
        <Button type="submit" className="mt-7" pending={query.isFetching && !data}>
          เตรียมรายการ
        </Button>
      </form>
      <div className="flex flex-wrap gap-x-4">
        <Button variant="link" onClick={onWithoutWins}>
          ยังไม่เคยได้งานรัฐ เลือกจากประเภทธุรกิจ
        </Button>
        {example && (
          <Button variant="link" onClick={() => choose(example)}>
            ลองด้วย {example.tax_id} {example.name}
          </Button>
        )}
      </div>
      {company !== '' && !refusal && (
        <QueryView
          query={query}
          task="เตรียมรายการ"
          notesStale
          errorReason={(error) => `${getErrorText(error)} หรือเลือกจากประเภทธุรกิจแทน`}
          skeleton={
            <SkeletonGroup
              label="กำลังอ่านงานที่ชนะ"
              className="space-y-3 rounded-card border border-line bg-surface p-4"
              bars={['w-1/2', 'w-full', 'w-3/4', 'w-full', 'w-2/3']}
            />
          }
        >
          {({ company: found, proposal, similar }) =>
            found && proposal && proposed ? (
              <Proposal
                company={found}
                proposal={proposal}
                selection={isNew || !selection ? proposed : selection}
                remaining={remaining}
                onSelect={onSelect}
              />
            ) : (
              <EmptyState
                icon={SearchX}
                title={found ? `ยังไม่พบงานที่ ${found.name} ชนะ` : 'ไม่พบบริษัทนี้ในข้อมูล'}
                actions={<Button onClick={onWithoutWins}>เลือกจากประเภทธุรกิจ</Button>}
              >
                {found
                  ? 'มีชื่อบริษัทในข้อมูลแล้ว แต่ยังไม่มีงานที่ประกาศว่าชนะ จึงยังไม่มีอะไรให้เรียนรู้'
                  : 'ข้อมูลมีเฉพาะบริษัทที่เคยเสนอราคาหรือทำสัญญากับรัฐในช่วงที่นำเข้าไว้ ตรวจเลขหรือชื่ออีกครั้ง'}
                {!found && similar.length > 0 && (
                  <span className="mt-3 block">
                    ชื่อใกล้เคียง
                    <span className="mt-1 flex flex-wrap justify-center gap-2">
                      {similar.map((ref) => (
                        <Button key={ref.id} size="sm" onClick={() => choose(ref)} className="max-w-full">
                          <span className="truncate">{ref.name}</span>
                        </Button>
                      ))}
                    </span>
                  </span>
                )}
              </EmptyState>
            )
          }
        </QueryView>
      )}
    </div>
  )
}

/**
 * Returns the company with the most wins where all companies are fictitious: in the demo, and while demo data is
 * loaded. Undefined elsewhere and while loading, because the hint is optional.
 */
function useExampleCompany(): CompanyRef | undefined {
  const isSample = isDemoSession() || hasDemoLogin()
  const { data } = useQuery({ ...companyListQuery({ ordering: '-wins' }), enabled: isSample })
  return data?.results.find(({ tax_id }) => tax_id !== null)
}

type ProposalProps = FirstListSelectionProps & { company: CompanyRef; proposal: FirstListProposal }

/** Below this many wins, the screen warns that the proposal is based on too few. */
const FEW_WINS = 5

function Proposal({ company, proposal, ...selectionProps }: ProposalProps) {
  const { wins, value, from_date, to_date, retrospect } = proposal
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_28rem]">
      <section aria-label="รายการที่เสนอ" className="rounded-card border border-line bg-surface">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-3">
          <h2 className="min-w-0 font-semibold wrap-anywhere">{company.name}</h2>
          <p className="text-ink-muted tabular-nums">
            <b className="font-semibold text-ink">ชนะ {formatCount(wins)} งาน</b>
            {value !== null && ` รวม ${formatBahtCompact(value)}`}
            {from_date !== null && to_date !== null && (
              <span className="block text-sm">
                {formatThaiDateShortOrOriginal(from_date)} – {formatThaiDateShortOrOriginal(to_date)}
              </span>
            )}
          </p>
          {retrospect && (
            <p className="w-full text-sm text-ink-muted tabular-nums">
              ลองย้อนหลัง: ถ้าเรียนจาก {retrospect.learned} งานแรก รายการแบบนี้เห็น{' '}
              <b className="font-semibold text-ink">
                {retrospect.found} จาก {retrospect.later} งาน
              </b>
              ที่ชนะหลังจากนั้น
            </p>
          )}
          {wins < FEW_WINS && (
            <p className="w-full text-sm text-updated">งานที่ชนะยังน้อย รายการนี้จึงเป็นแค่จุดเริ่ม ดูทีละคำก่อนใช้</p>
          )}
        </div>
        <FirstListProposalForm proposal={proposal} {...selectionProps} />
      </section>
      <FirstListProofPanel {...selectionProps} />
    </div>
  )
}
