import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { getCompanyKey } from '#contract/catalogue/company-name.ts'
import type { FirstListProposal, PriceBand, ProposedWord } from '#contract/market/first-list.ts'
import { findKeywordProblem, toKeywordKey } from '#contract/matching/keyword.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { moneyRangeText } from '#src/lib/figure-text.ts'
import { getKeywordProblemText } from '#src/matching/keywords/keyword-problem-text.ts'
import { TickPill } from '#src/matching/pages/group-watch/tick-pill.tsx'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { useCollapsedList } from '#src/ui/use-collapsed-list.tsx'
import { type FirstListSelectionProps, toggleProvince, withEntryToggled } from './first-list-selection.ts'

type ProposalFormProps = FirstListSelectionProps & { proposal: FirstListProposal }

export function FirstListProposalForm({ proposal, selection, remaining, onSelect }: ProposalFormProps) {
  const { words, agencies, provinces, rivals, wins } = proposal
  const added = selection.words.filter((word) => words.every((entry) => entry.word !== word))
  const addedAgencies = selection.agencies.filter((word) => agencies.every((entry) => entry.word !== word))
  const all = (names: readonly string[]) => names.map((word) => ({ word, wins: 0, per_day: 0, is_ticked: true }))
  const isCountrywide = selection.provinces === null
  return (
    <div className="divide-y divide-line">
      <Row title="คำติดตาม" note={`เลือก ${selection.words.length} จากได้ ${formatCount(remaining.include)}`}>
        <Words
          entries={[...words, ...all(added)]}
          ticked={selection.words}
          reasonOf={(entry) => describeWord(entry, wins)}
          isFull={selection.words.length >= remaining.include}
          onChange={(list) => onSelect({ ...selection, words: list })}
        />
        <AddWord
          taken={selection.words}
          isFull={selection.words.length >= remaining.include}
          onAdd={(word) => onSelect({ ...selection, words: [...selection.words, word] })}
        />
      </Row>
      {agencies.length + addedAgencies.length > 0 && (
        <Row title="หน่วยงาน" note={`เลือก ${selection.agencies.length} เห็นทุกงานของหน่วยงานนั้น`}>
          <Words
            entries={[...agencies, ...all(addedAgencies)]}
            ticked={selection.agencies}
            reasonOf={({ wins: count }) => (count === 0 ? 'เพิ่มเอง' : `ชนะ ${count} งาน`)}
            isFull={selection.agencies.length >= remaining.deptsub_include}
            onChange={(list) => onSelect({ ...selection, agencies: list })}
          />
        </Row>
      )}
      <Row title="จังหวัด" note={isCountrywide ? 'ทั่วประเทศ' : `เลือก ${selection.provinces?.length ?? 0}`}>
        <Pills>
          <TickPill
            name="ทั่วประเทศ"
            on={isCountrywide}
            onChange={(on) => onSelect({ ...selection, provinces: on ? null : provinces.map(({ name }) => name) })}
          />
          {provinces.map(({ name, wins: count }) => (
            <TickPill
              key={name}
              name={name}
              reason={`ชนะ ${count} งาน`}
              on={selection.provinces?.includes(name) ?? false}
              onChange={(on) => onSelect(toggleProvince(selection, name, on))}
            />
          ))}
        </Pills>
      </Row>
      <Row title="ช่วงงบ" note={wonText(proposal.won_band)}>
        <Band band={selection.band} onChange={(band) => onSelect({ ...selection, band })} />
      </Row>
      {rivals.length > 0 && (
        <Row title="คู่แข่ง" note="ติ๊กเพื่อรับแจ้งเมื่อเขาชนะงาน">
          <Pills>
            {rivals.map(({ name, tax_id, met }) => {
              const key = getCompanyKey({ taxId: tax_id, name }) ?? name
              const rivalsWithout = selection.rivals.filter((rival) => rival.key !== key)
              return (
                <TickPill
                  key={key}
                  name={name}
                  reason={`เจอกัน ${met} งาน`}
                  on={rivalsWithout.length < selection.rivals.length}
                  onChange={(on) =>
                    onSelect({ ...selection, rivals: on ? [...rivalsWithout, { key, name }] : rivalsWithout })
                  }
                />
              )
            })}
          </Pills>
        </Row>
      )}
    </div>
  )
}

function describeWord({ wins: count }: ProposedWord, wins: number): string {
  return count === 0 ? 'เพิ่มเอง' : `อยู่ในชื่องาน ${count} จาก ${wins} งานที่ชนะ`
}

const wonText = ({ min, max }: PriceBand) =>
  min === null && max === null ? 'ไม่รู้งบของงานที่ชนะ' : `เคยชนะงานงบ ${moneyRangeText({ min, max })} บาท`

function Row({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-2 px-4 py-3 sm:grid-cols-[7.5rem_minmax(0,1fr)]">
      <div>
        <h3 className="font-semibold">{title}</h3>
        <p className="text-sm text-ink-muted">{note}</p>
      </div>
      <div className="min-w-0 space-y-2">{children}</div>
    </section>
  )
}

const Pills = ({ children }: { children: ReactNode }) => <div className="flex flex-wrap gap-2">{children}</div>

type WordsProps = {
  entries: readonly ProposedWord[]
  ticked: readonly string[]
  reasonOf: (entry: ProposedWord) => string
  isFull: boolean
  onChange: (ticked: string[]) => void
}

const FIRST_WORDS = 12

function Words({ entries, ticked, reasonOf, isFull, onChange }: WordsProps) {
  const { visibleItems, moreButton } = useCollapsedList(entries, 'รายการ', FIRST_WORDS)
  return (
    <>
      <Pills>
        {visibleItems.map((entry) => {
          const on = ticked.includes(entry.word)
          return (
            <TickPill
              key={entry.word}
              name={entry.word}
              reason={reasonOf(entry)}
              on={on}
              disabled={!on && isFull}
              onChange={(next) => onChange(withEntryToggled(ticked, entry.word, next))}
            />
          )
        })}
      </Pills>
      {moreButton}
    </>
  )
}

type AddWordProps = { taken: readonly string[]; isFull: boolean; onAdd: (word: string) => void }

function AddWord({ taken, isFull, onAdd }: AddWordProps) {
  const { register, handleSubmit, reset, clearErrors, formState } = useForm({
    defaultValues: { word: '' },
    reValidateMode: 'onSubmit',
  })
  const findProblem = (word: string): string | undefined => {
    if (word === '') return undefined
    const checked = findKeywordProblem('include', word)
    if (!checked.ok) return getKeywordProblemText(checked.code)
    return taken.some((other) => toKeywordKey(other) === toKeywordKey(word))
      ? getKeywordProblemText('repeated')
      : undefined
  }
  const submit = handleSubmit(({ word }) => {
    if (word.trim() === '') return
    onAdd(word.trim())
    reset()
  })
  return (
    <form className="flex max-w-sm items-start gap-2" onSubmit={submit}>
      <TextField
        label="เพิ่มคำเอง"
        hideLabel
        placeholder="เพิ่มคำเอง"
        {...register('word', { validate: (text) => findProblem(text.trim()), onChange: () => clearErrors('word') })}
        disabled={isFull}
        error={formState.errors.word?.message}
        className="min-w-0 flex-1"
      />
      <Button type="submit" icon={Plus} disabled={isFull}>
        เพิ่ม
      </Button>
    </form>
  )
}

function Band({ band, onChange }: { band: PriceBand; onChange: (band: PriceBand) => void }) {
  const parse = (text: string) => {
    const digits = text.replace(/\D/g, '')
    return digits === '' ? null : Number(digits.slice(0, 13))
  }
  const show = (baht: number | null) => (baht === null ? '' : formatCount(Math.round(baht)))
  return (
    <div className="flex max-w-md flex-wrap items-end gap-2">
      {(['min', 'max'] as const).map((end) => (
        <TextField
          key={end}
          label={end === 'min' ? 'งบตั้งแต่ (บาท)' : 'ถึง (บาท)'}
          inputMode="numeric"
          placeholder="ไม่จำกัด"
          value={show(band[end])}
          onChange={(event) => onChange({ ...band, [end]: parse(event.currentTarget.value) })}
          className="min-w-0 flex-1 basis-36"
        />
      ))}
    </div>
  )
}
