import { useState } from 'react'
import { organization } from '@dmp/contract'
import { useAct, useCan, useLookup } from '@dmp/kit'
import { FormModal, ImageField } from '@dmp/kit/form'
import { ConfirmModal, Section } from '@dmp/kit/screen'
import { Button, notify, offerUndo } from '@dmp/kit/ui'
import './logo.css'

type Shown = Pick<organization.Organization, 'id' | 'name'>

/** What share pages and mails of an organization bear; its administrator chooses it. */
export function OrganizationLogo({ item: { id, name } }: { item: Shown }) {
  // A server of the version before has no logos: the rest of the page stays.
  const { data: logo } = useLookup(organization.getLogo, { id })
  const mayChange = useCan(organization.setLogo)
  const [dialog, setDialog] = useState<'change' | 'remove'>()
  const close = () => setDialog(undefined)
  if (logo === undefined) return null
  return (
    <Section title="Logo">
      <div className="organization-logo">
        {logo === null ? (
          <p>No logo yet.</p>
        ) : (
          <img src={logo.dataURL} alt={`Logo of ${name}`} width={logo.width / 2} height={logo.height / 2} />
        )}
        <p className="dmp-quiet">Stands at the head of pages of share links, and of mails.</p>
        {mayChange && (
          <div className="organization-logo-actions">
            <Button onClick={() => setDialog('change')}>{logo === null ? 'Add logo' : 'Change logo'}</Button>
            {logo !== null && (
              <Button danger onClick={() => setDialog('remove')}>
                Remove logo
              </Button>
            )}
          </div>
        )}
      </div>
      {dialog === 'change' && <LogoModal id={id} onClose={close} />}
      {dialog === 'remove' && logo && <RemoveModal item={{ id, name }} logo={logo} onClose={close} />}
    </Section>
  )
}

function LogoModal({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <FormModal
      title="Logo"
      schema={organization.LogoDraft}
      draft={false}
      call={organization.setLogo}
      input={{ id }}
      submitLabel="Save"
      onDone={() => {
        notify.success('Logo changed')
        onClose()
      }}
      onClose={onClose}
    >
      <ImageField
        name="imageData"
        label="Picture"
        help="One image under 2 MB: PNG, JPEG, GIF or WebP, at best three times as wide as high, and legible on white."
      />
    </FormModal>
  )
}

interface RemoveModalProps {
  readonly item: Shown
  readonly logo: organization.OrganizationLogo
  readonly onClose: () => void
}

function RemoveModal({ item: { id, name }, logo, onClose }: RemoveModalProps) {
  const { act, busy, error } = useAct(organization.removeLogo, {
    onDone: () => {
      offerUndo('Logo removed', {
        by: organization.setLogo,
        input: { id, imageData: toImage(logo) },
        refreshes: [],
        toText: () => 'Logo restored',
      })
      onClose()
    },
  })
  return (
    <ConfirmModal
      title={`Remove the logo of ${name}?`}
      confirmLabel="Remove"
      danger
      busy={busy}
      error={error}
      onConfirm={() => void act({ id })}
      onClose={onClose}
    >
      Pages of share links and mails show the name alone from now on. Mails that were sent keep it.
    </ConfirmModal>
  )
}

/** As a person chooses a picture. Drawn anew it has the same pixels: it fits its box and has few colours already. */
const toImage = ({ dataURL }: organization.OrganizationLogo): organization.LogoDraft['imageData'] => ({
  filename: 'logo.png',
  filesize: atob(dataURL.slice(dataURL.indexOf(',') + 1)).length,
  fileDataURL: dataURL,
})
