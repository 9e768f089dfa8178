import { useQuery } from '@tanstack/react-query'
import { Building2, Search, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import {
  type OperatorOrganisation,
  ORGANISATION_FLAGS,
  ORGANISATION_LIMITS,
  type OrganisationLimit,
} from '#contract/operation/operator-organisations.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { operatorOrganisationsQuery } from '#src/operation/api/operator-organisations.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'
import { LabelledValueItem, OperatorPageFrame } from './operator-page-frame.tsx'
import { OrganisationPanel } from './organisation-panel.tsx'
import { ORGANISATION_FLAG_TEXTS, ORGANISATION_LIMIT_NAMES } from './organisation-text.ts'

const matches = ({ code, name, package: packageName }: OperatorOrganisation, typed: string) =>
  `${code} ${name} ${packageName}`.toLowerCase().includes(typed.trim().toLowerCase())

export function OperatorOrganisationsPage() {
  const organisations = useQuery(operatorOrganisationsQuery)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<OperatorOrganisation>()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <OperatorPageFrame
        title="องค์กร"
        what="รายชื่อองค์กร"
        query={organisations}
        aside={organisations.data && <OrganisationCounts all={organisations.data} />}
      >
        {(all) => {
          const filtered = all.filter((organisation) => matches(organisation, typed))
          if (all.length === 0)
            return (
              <EmptyState icon={Building2} title="ยังไม่มีองค์กร">
                องค์กรสมัครเองได้ที่หน้าสมัครใช้งาน หรือสร้างที่เครื่องแม่ข่าย (npm run admin -- create-organisation)
              </EmptyState>
            )
          return (
            <>
              <TextField
                label="ค้นหาองค์กร"
                hideLabel
                icon={Search}
                type="search"
                placeholder="ชื่อ รหัส หรือแพ็กเกจ"
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                className="max-w-md"
              />
              {filtered.length === 0 ? (
                <EmptyState
                  icon={Search}
                  title={`ไม่พบองค์กรที่มี “${typed.trim()}”`}
                  actions={<Button onClick={() => setTyped('')}>ดูทั้งหมด</Button>}
                />
              ) : (
                <Card>
                  <ul aria-label="องค์กร" className="divide-y divide-line">
                    {filtered.map((organisation) => (
                      <OrganisationRow
                        key={organisation.code}
                        organisation={organisation}
                        onOpen={() => {
                          setChosen(organisation)
                          setOpen(true)
                        }}
                      />
                    ))}
                  </ul>
                </Card>
              )}
            </>
          )
        }}
      </OperatorPageFrame>
      <Modal
        open={isOpen}
        onClose={() => setOpen(false)}
        title={chosen?.name ?? ''}
        description={chosen?.code}
        variant="side"
      >
        {chosen && <OrganisationPanel key={chosen.code} code={chosen.code} />}
      </Modal>
    </>
  )
}

function OrganisationCounts({ all }: { all: readonly OperatorOrganisation[] }) {
  const closed = all.filter(({ is_disabled: isDisabled }) => isDisabled).length
  return (
    <p className="flex flex-wrap items-center gap-2">
      <Badge tone="new">ใช้งานอยู่ {formatCountWithSeparators(all.length - closed)}</Badge>
      {closed > 0 && <Badge>ปิดแล้ว {formatCountWithSeparators(closed)}</Badge>}
    </p>
  )
}

const NON_WORD_LIMITS: readonly OrganisationLimit[] = ['members', 'document-days', 'picture-pages']
const WORD_LIMITS = ORGANISATION_LIMITS.filter((limit) => !NON_WORD_LIMITS.includes(limit))

type RowProps = { organisation: OperatorOrganisation; onOpen: () => void }

function OrganisationRow({ organisation, onOpen }: RowProps) {
  const { code, name, users, words, matches: matchCount, flags, limits, last_used_at: lastUsed } = organisation
  const activeFlags = ORGANISATION_FLAGS.filter((flag) => flags[flag])
  return (
    <li className="grid grid-cols-2 gap-x-4 gap-y-3 px-4 py-4 md:grid-cols-4 lg:px-5 xl:grid-cols-[minmax(0,2fr)_minmax(0,1.5fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.1fr)_7rem]">
      <div className="col-span-2 min-w-0 md:col-span-3 xl:col-span-1">
        <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold wrap-anywhere">
          {name}
          {organisation.is_disabled && <Badge tone="urgent">ปิดแล้ว</Badge>}
        </h2>
        <p className="text-xs text-ink-muted wrap-anywhere">
          {code} · {organisation.package}
        </p>
      </div>
      <div className="order-last col-span-2 flex items-start justify-end md:order-none md:col-span-1 xl:order-last">
        <Button
          size="sm"
          icon={SlidersHorizontal}
          onPointerEnter={preloadModal}
          onClick={onOpen}
          aria-label={`ตั้งค่า ${name}`}
        >
          ตั้งค่า
        </Button>
      </div>
      <LabelledValueItem
        name="เปิดให้ใช้"
        value={
          activeFlags.length === 0
            ? 'รายงานเท่านั้น'
            : activeFlags.map((flag) => ORGANISATION_FLAG_TEXTS[flag].th).join(' · ')
        }
      />
      <LabelledValueItem name="คำติดตาม" value={formatCountWithSeparators(words)}>
        ไม่เกิน{' '}
        {WORD_LIMITS.map(
          (limit) => `${ORGANISATION_LIMIT_NAMES[limit]} ${formatCountWithSeparators(limits[limit])}`,
        ).join(' · ')}
      </LabelledValueItem>
      <LabelledValueItem
        name="ผู้ใช้"
        value={`${formatCountWithSeparators(users)} จาก ${formatCountWithSeparators(limits.members)} คน`}
      >
        ตรง {formatCountWithSeparators(matchCount)} โครงการ
      </LabelledValueItem>
      <LabelledValueItem name="ใช้ล่าสุด" value={lastUsed === null ? 'ยังไม่เคย' : formatThaiDateTime(lastUsed)} />
    </li>
  )
}
