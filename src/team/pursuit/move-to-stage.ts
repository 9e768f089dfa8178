import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { patchPursuit } from '#src/team/api/pursuit-patches.ts'

/** Moves a project into the stage of the board at this place, from 1; resolves to the stage's name, undefined when there is none or it cannot be known. */
export async function moveToStage(projectId: string, place: number): Promise<string | undefined> {
  const settings = await queryClient.query({ ...pursuitSettingsQuery, staleTime: 'static' }).catch(() => undefined)
  const stage = settings?.stages[place - 1]
  if (!stage) return undefined
  const message = { failed: 'ย้ายขั้นไม่สำเร็จ', done: `ย้ายไป “${stage.name}” แล้ว` }
  void patchPursuit(projectId, [{ action: 'set_stage', stage: stage.id }], message)
  return stage.name
}

/** Brings the focus into the block of the pursuit that stands inside `within`: where a note is written, or where the owner is chosen. */
export function enterPursuit(part: 'note' | 'owner', within: string): boolean {
  const place = part === 'note' ? '[data-note-field]' : '[data-owner-choice]'
  const found = document.querySelector<HTMLElement>(`${within} ${place}`)
  found?.scrollIntoView?.({ block: 'center' })
  found?.focus()
  if (part === 'owner') found?.click()
  return found !== null
}
