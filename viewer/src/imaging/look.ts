import type { Types } from '@cornerstonejs/core'

/**
 * How a picture lies in its pane and what is made of its values, as Cornerstone says it, but with a zoom of 1 where it
 * fills the pane, as that may have another size later. Can be written as JSON.
 */
export interface Look {
  readonly presentation: Types.ViewPresentation
  readonly properties: Pick<Types.StackViewportProperties, 'voiRange' | 'invert'>
}

/** The slice in view and its look, where it had been drawn. */
export interface PicturePlace {
  readonly index: number
  readonly look: Look | undefined
}

export function readLook(viewport: Types.IStackViewport, zoom: number): Look {
  const { voiRange, invert } = viewport.getProperties()
  return {
    presentation: { ...viewport.getViewPresentation(), zoom },
    properties: { ...(voiRange && { voiRange }), ...(invert !== undefined && { invert }) },
  }
}

export function setLook(
  viewport: Types.IStackViewport,
  { presentation, properties }: Look,
  fittingScale: number,
): void {
  viewport.setProperties(properties)
  viewport.setViewPresentation({ ...presentation, zoom: (presentation.zoom ?? 1) * fittingScale })
}
