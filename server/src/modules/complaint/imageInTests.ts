import { complaint } from '@dmp/contract'
import { complaintTypes } from '@dmp/contract/examples'
import { moduleIds } from '@dmp/contract/policy'
import sharp from 'sharp'
import { asImage, decodeDataURL } from '../../testing/pictures.ts'
import type { SignedIn } from '../../testing/server.ts'

/** Makes a complaint with this image; a text is sent as it is. */
export const addImage = (viewer: SignedIn, imageData: unknown) =>
  viewer.call(complaint.add, {
    moduleId: moduleIds.Scan,
    typeId: complaintTypes[0]?.id ?? '',
    description: 'See the picture.',
    imageData: typeof imageData === 'string' ? imageData : JSON.stringify(imageData),
  })

/** Adds an image and returns what the server stored. */
export async function storeImage(viewer: SignedIn, content: Buffer, mediaType: string, filename?: string) {
  const { status, data, message } = await addImage(viewer, asImage(content, mediaType, filename))
  if (status !== 200 || !data.imageData) throw new Error(message)
  const bytes = decodeDataURL(data.imageData.fileDataURL)
  return { ...data.imageData, bytes, ...(await sharp(bytes).metadata()) }
}
