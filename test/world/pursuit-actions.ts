import fc from 'fast-check'
import { DEFAULT_PURSUIT_STAGES } from '#contract/account/pursuit-settings.ts'
import type { PursuitAction } from '#contract/team/pursuit-action.ts'

/**
 * There are few ids, so that the actions of different people collide: the same item, the same stage, a note that
 * another person has pinned.
 */
const item = fc.constantFrom('t1', 't2', 'own-1', 'own-2')
const note = fc.constantFrom('n1', 'n2', 'n3')
const text = fc.constantFrom('TOR ข้อ 3.12', 'ราคา 11.48 ล้าน', 'รอผลิตยืนยัน')
const reason = fc.constantFrom(undefined, null, 'สเปกตรงรุ่นในสต็อก', 'งบต่ำกว่าต้นทุน')
const stage = fc.constantFrom(...DEFAULT_PURSUIT_STAGES.map(({ id }) => id))
const act = <Name extends PursuitAction['action']>(action: Name) => fc.constant(action)

const withReason = <Base extends object>(base: fc.Arbitrary<Base>) =>
  fc.tuple(base, reason).map(([fields, why]) => (why === undefined ? fields : { ...fields, reason: why }))

export const pursuitActionArbitrary = (members: readonly number[]): fc.Arbitrary<PursuitAction> => {
  const person = fc.constantFrom(null, ...members)
  return fc.oneof(
    withReason(fc.record({ action: act('set_stage'), stage })),
    withReason(
      fc.record({
        action: act('decide'),
        decision: fc.constantFrom<('bid' | 'no_bid' | null)[]>('bid', 'no_bid', null),
      }),
    ),
    fc.record({ action: act('set_owner'), owner: person }),
    fc.record({ action: act('set_price'), price: fc.constantFrom(null, 11_480_000, 620_000.25) }),
    fc.record({ action: act('add_item'), id: item, text }),
    fc.record({ action: act('edit_item'), id: item, text }),
    fc.record({ action: act('check_item'), id: item, done: fc.boolean() }),
    fc.record({ action: act('assign_item'), id: item, assignee: person }),
    fc.record({ action: act('remove_item'), id: item }),
  )
}

/** Generates the actions of `pursuitActionArbitrary` and note actions, regardless of the note's author. */
export const pursuitOrNoteActionArbitrary = (members: readonly number[]): fc.Arbitrary<PursuitAction> =>
  fc.oneof(
    { weight: 3, arbitrary: pursuitActionArbitrary(members) },
    { weight: 1, arbitrary: fc.record({ action: act('add_note'), id: note, text }) },
    { weight: 1, arbitrary: fc.record({ action: act('edit_note'), id: note, text }) },
    { weight: 1, arbitrary: fc.record({ action: act('delete_note'), id: note }) },
    { weight: 1, arbitrary: fc.record({ action: act('pin_note'), id: note, pinned: fc.boolean() }) },
  )
