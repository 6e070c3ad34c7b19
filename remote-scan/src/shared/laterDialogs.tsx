import { notify } from '@dmp/kit/ui'
import { createElement, useEffect, useEffectEvent, useState, type ComponentType } from 'react'
import type * as dialogs from './dialogs.ts'

type Dialogs = typeof dialogs

let loaded: Dialogs | undefined

/** Loads the dialogs, without which every screen is drawn. A slow line gets a second chance. */
export async function loadDialogs(): Promise<void> {
  loaded = await import('./dialogs.ts').catch(() => import('./dialogs.ts'))
}

/** A dialog whose code comes with it; one that does not come says so and closes. */
function later<Props extends { readonly onClose: () => void }>(pick: (of: Dialogs) => ComponentType<Props>) {
  return function Later(props: Props) {
    const [isHere, setHere] = useState(loaded !== undefined)
    const giveUp = useEffectEvent(() => {
      notify.error('This could not be opened. Check your connection and try again.')
      props.onClose()
    })
    // Loading is outside React.
    useEffect(() => {
      if (isHere) return
      let isGone = false
      loadDialogs().then(
        () => isGone || setHere(true),
        () => isGone || giveUp(),
      )
      return () => {
        isGone = true
      }
    }, [isHere])
    // The keys of the page are asleep from the click on.
    return loaded ? createElement(pick(loaded), props) : <span role="dialog" hidden />
  }
}

export const DeleteModal = later((of) => of.DeleteModal)
export const DownloadModal = later((of) => of.DownloadModal)
export const ManageFiltersModal = later((of) => of.ManageFiltersModal)
export const SaveFilterModal = later((of) => of.SaveFilterModal)
export const ShareModal = later((of) => of.ShareModal)
export const TransferModal = later((of) => of.TransferModal)
export const TransferResultModal = later((of) => of.TransferResultModal)
