import { notify } from '@dmp/kit/ui'
import { createElement, useEffect, useEffectEvent, useState, type ComponentProps, type ComponentType } from 'react'

type Dialogs = typeof import('./dialogs.ts')

let loaded: Dialogs | undefined

/** Loads the dialogs, without which every screen is drawn. */
export const loadDialogs = async (): Promise<Dialogs> => (loaded = await import('./dialogs.ts'))

/** A dialog whose code comes with it; one that does not come says so and closes. */
function later<Name extends keyof Dialogs>(name: Name) {
  type Props = ComponentProps<Dialogs[Name]> & { readonly onClose: () => void }
  return function Later(props: Props) {
    const [dialogs, setDialogs] = useState(loaded)
    const giveUp = useEffectEvent(() => {
      notify.error('This could not be opened. Check your connection and try again.')
      props.onClose()
    })
    useEffect(() => {
      if (dialogs) return
      let isGone = false
      loadDialogs().then(
        (next) => isGone || setDialogs(next),
        () => isGone || giveUp(),
      )
      return () => {
        isGone = true
      }
    }, [dialogs])
    return dialogs ? createElement(dialogs[name] as ComponentType<Props>, props) : null
  }
}

export const DeleteModal = later('DeleteModal')
export const DownloadModal = later('DownloadModal')
export const ManageFiltersModal = later('ManageFiltersModal')
export const SaveFilterModal = later('SaveFilterModal')
export const ShareModal = later('ShareModal')
export const TransferModal = later('TransferModal')
export const TransferResultModal = later('TransferResultModal')
