import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Modal, type ModalProps } from './modal.tsx'

type ConfirmDialogProps = Pick<ModalProps, 'open' | 'onClose' | 'title' | 'description'> & {
  no: string
  yes: string
  onYes: () => void
  pending?: boolean
  children: ReactNode
}

/** Asks before an action that cannot be undone. Its caller closes it. */
export function ConfirmDialog({ no, yes, onYes, pending = false, children, ...modal }: ConfirmDialogProps) {
  return (
    <Modal
      {...modal}
      footer={
        <>
          <Button onClick={modal.onClose} data-autofocus>
            {no}
          </Button>
          <Button variant="danger" pending={pending} onClick={onYes}>
            {yes}
          </Button>
        </>
      }
    >
      <p className="p-4">{children}</p>
    </Modal>
  )
}
