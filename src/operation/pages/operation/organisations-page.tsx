import { useMutation, useQuery } from '@tanstack/react-query'
import { Building2, RefreshCcw, Search, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { getRoleLabel } from '#contract/account/user.ts'
import {
  type OperatorOrganisation,
  type OperatorOrganisationDetails,
  ORGANISATION_FLAGS,
  ORGANISATION_LIMITS,
  type OrganisationLimit,
} from '#contract/operation/operator-organisations.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { ActionButton } from '#src/account/form-refusal/action-button.tsx'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import {
  operatorOrganisationQuery,
  operatorOrganisationsQuery,
  rematchOrganisation,
  updateOrganisationAsOperator,
  updateUserAsOperator,
} from '#src/operation/api/operator-organisations.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { ConfirmDialog } from '#src/ui/overlay/confirm-dialog.tsx'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'
import { toastMutationResult } from '#src/ui/overlay/outcome-toasts.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { LabelledValueItem, OperatorList, OperatorPageFrame } from './operator-page-frame.tsx'
import { OrganisationForm } from './organisation-form.tsx'
import { ORGANISATION_FLAG_TEXTS, ORGANISATION_LIMIT_NAMES } from './organisation-text.ts'

const matches = ({ code, name, package: packageName }: OperatorOrganisation, typed: string) =>
  `${code} ${name} ${packageName}`.toLowerCase().includes(typed.trim().toLowerCase())

export function OperatorOrganisationsPage() {
  const organisations = useQuery(operatorOrganisationsQuery)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<OperatorOrganisation>()
  return (
    <>
      <OperatorPageFrame title="องค์กร" what="รายชื่อองค์กร" query={organisations} aside={OrganisationCounts}>
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
                <OperatorList label="องค์กร">
                  {filtered.map((organisation) => (
                    <OrganisationRow
                      key={organisation.code}
                      organisation={organisation}
                      onOpen={() => setChosen(organisation)}
                    />
                  ))}
                </OperatorList>
              )}
            </>
          )
        }}
      </OperatorPageFrame>
      <Modal
        open={chosen !== undefined}
        onClose={() => setChosen(undefined)}
        title={chosen?.name ?? ''}
        description={chosen?.code}
        variant="side"
      >
        {chosen && <OrganisationPanel key={chosen.code} code={chosen.code} />}
      </Modal>
    </>
  )
}

function OrganisationCounts(all: readonly OperatorOrganisation[]) {
  const closed = all.filter(({ is_disabled: isDisabled }) => isDisabled).length
  return (
    <>
      <Badge tone="new">ใช้งานอยู่ {formatCount(all.length - closed)}</Badge>
      {closed > 0 && <Badge>ปิดแล้ว {formatCount(closed)}</Badge>}
    </>
  )
}

const NON_WORD_LIMITS: readonly OrganisationLimit[] = ['members', 'document-days', 'picture-pages']
const WORD_LIMITS = ORGANISATION_LIMITS.filter((limit) => !NON_WORD_LIMITS.includes(limit))

function OrganisationRow({ organisation, onOpen }: { organisation: OperatorOrganisation; onOpen: () => void }) {
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
        <Button size="sm" icon={SlidersHorizontal} onPointerEnter={preloadModal} onClick={onOpen} of={name}>
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
      <LabelledValueItem name="คำติดตาม" value={formatCount(words)}>
        ไม่เกิน{' '}
        {WORD_LIMITS.map((limit) => `${ORGANISATION_LIMIT_NAMES[limit]} ${formatCount(limits[limit])}`).join(' · ')}
      </LabelledValueItem>
      <LabelledValueItem name="ผู้ใช้" value={`${formatCount(users)} จาก ${formatCount(limits.members)} คน`}>
        ตรง {formatCount(matchCount)} โครงการ
      </LabelledValueItem>
      <LabelledValueItem name="ใช้ล่าสุด" value={lastUsed === null ? 'ยังไม่เคย' : formatThaiDateTime(lastUsed)} />
    </li>
  )
}

function OrganisationPanel({ code }: { code: string }) {
  const organisation = useQuery(operatorOrganisationQuery(code))

  return (
    <div className="space-y-6 p-4">
      <QueryView
        query={organisation}
        task="โหลดองค์กร"
        notesStale
        barsClassName="space-y-3"
        bars={['h-10', 'h-40', 'h-24']}
      >
        {(data) => (
          <>
            <OrganisationForm key={JSON.stringify(data)} organisation={data} />
            <Users organisation={data} />
            <OrganisationActions organisation={data} />
          </>
        )}
      </QueryView>
    </div>
  )
}

type Props = { organisation: OperatorOrganisationDetails }

function Users({ organisation: { users } }: Props) {
  const { mutate, isPending, variables } = useMutation(updateUserAsOperator)
  return (
    <section aria-labelledby="users-of" className="space-y-1 border-t border-line pt-4">
      <h3 id="users-of" className="font-semibold">
        ผู้ใช้
      </h3>
      {users.length === 0 && (
        <p className="text-sm text-ink-muted">ยังไม่มีผู้ใช้ สร้างที่เครื่องแม่ข่าย (npm run admin -- create-user)</p>
      )}
      <ul aria-label="ผู้ใช้" className="divide-y divide-line">
        {users.map((user) => (
          <li key={user.email} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <div className="min-w-0 flex-1 basis-52">
              <p className="flex flex-wrap items-center gap-2 wrap-anywhere">
                {user.name || user.email}
                {user.is_disabled && <Badge tone="urgent">ปิดแล้ว</Badge>}
              </p>
              <p className="text-xs text-ink-muted wrap-anywhere">
                {user.email} · {getRoleLabel(user.role)} ·{' '}
                {user.last_used_at === null ? 'ยังไม่เคยเข้าใช้' : `ใช้ล่าสุด ${formatThaiDateTime(user.last_used_at)}`}
              </p>
            </div>
            <Button
              size="sm"
              pending={isPending && variables.email === user.email}
              onClick={() => mutate({ email: user.email, is_disabled: !user.is_disabled })}
              aria-label={`${user.is_disabled ? 'เปิด' : 'ปิด'}บัญชี ${user.email}`}
            >
              {user.is_disabled ? 'เปิดบัญชี' : 'ปิดบัญชี'}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function OrganisationActions({ organisation: { code, name, is_disabled: isDisabled } }: Props) {
  const { mutate, isPending } = useMutation(updateOrganisationAsOperator)
  const [isAsking, setAsking] = useState(false)
  const set = (disabled: boolean) =>
    mutate(
      { code, change: { is_disabled: disabled } },
      toastMutationResult('เปลี่ยนไม่สำเร็จ:', disabled ? `ปิด ${name} แล้ว` : `เปิด ${name} แล้ว`),
    )
  return (
    <section aria-label="คำสั่งอื่น" className="flex flex-wrap gap-2 border-t border-line pt-4">
      <ActionButton
        icon={RefreshCcw}
        run={() => rematchOrganisation(code)}
        failed="สั่งจับคู่ใหม่ไม่สำเร็จ:"
        done={`จะจับคู่โครงการของ ${name} ใหม่ทั้งหมดในเบื้องหลัง`}
      >
        จับคู่โครงการใหม่ทั้งหมด
      </ActionButton>
      <Button pending={isPending} onClick={() => (isDisabled ? set(false) : setAsking(true))}>
        {isDisabled ? 'เปิดองค์กร' : 'ปิดองค์กร'}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`ปิด ${name}`}
        no="ไม่ปิด"
        yes="ปิดองค์กรนี้"
        onYes={() => {
          setAsking(false)
          set(true)
        }}
      >
        ทุกคนขององค์กรนี้จะออกจากระบบทันทีและเข้าใช้ไม่ได้ ข้อมูลยังอยู่ครบ เปิดใหม่ได้ทุกเมื่อ
      </ConfirmDialog>
    </section>
  )
}
