import { ComplaintImage } from '@dmp/contract/complaint'
import { exact } from '@dmp/contract/fields'
import { renderScreen } from '@dmp/kit/testing'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import * as v from 'valibot'
import { ImageField, SchemaForm } from './index.ts'
import { findImageRefusal } from './ImageField.tsx'

const imageOf = (name: string, bytes = 4, type = 'image/png') => new File([new Uint8Array(bytes)], name, { type })
const draw = (call: (values: Record<string, unknown>) => Promise<null> = async () => null) =>
  renderScreen(
    <SchemaForm
      schema={exact({ imageData: v.optional(v.nullable(ComplaintImage), null) })}
      call={call}
      submitLabel="Submit"
      clearLabel="Clear"
      onDone={() => {}}
    >
      <ImageField name="imageData" label="Image" />
    </SchemaForm>,
    { at: '/' },
  )

describe('an image', () => {
  it.each([
    ['two files', [imageOf('a.png'), imageOf('b.png')], 'Only single image upload allowed.'],
    ['another kind of file', [imageOf('a.pdf', 4, 'application/pdf')], 'Only image files are allowed.'],
    ['a drawing that may hold scripts', [imageOf('a.svg', 4, 'image/svg+xml')], 'Only image files are allowed.'],
    ['a file without a kind', [imageOf('a', 4, '')], 'Only image files are allowed.'],
    ['one byte too many', [imageOf('a.png', 2_097_153)], 'File size must be less than 2MB.'],
    ['just small enough', [imageOf('a.png', 2_097_152)], undefined],
  ])('that is %s: %j [5.09, 9.02]', (_, files, refusal) => {
    expect(findImageRefusal(files)).toBe(refusal)
  })

  it('is picked, previewed, sent with name, size and data, and can be removed [2.50, 3.10, 5.09]', async () => {
    const call = jest.fn(async () => null)
    const { user } = draw(call)
    await user.upload(screen.getByLabelText('Image'), imageOf('shot.png'))
    expect(await screen.findByRole('img', { name: 'Preview of shot.png' })).toHaveAttribute(
      'src',
      'data:image/png;base64,AAAAAA==',
    )
    expect(screen.getByText('shot.png (4 B)')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    await waitFor(() =>
      expect(call).toHaveBeenCalledWith({
        imageData: { filename: 'shot.png', filesize: 4, fileDataURL: 'data:image/png;base64,AAAAAA==' },
      }),
    )
    await user.click(screen.getByRole('button', { name: 'Remove image' }))
    expect(screen.queryByRole('img', { name: /Preview/ })).not.toBeInTheDocument()
  })

  it('is dropped [5.09]', async () => {
    const { container } = draw()
    const place = container.querySelector('.dmp-drop')!
    expect(place).toHaveAttribute('data-over', 'false')
    fireEvent.dragOver(place)
    expect(place).toHaveAttribute('data-over', 'true')
    fireEvent.dragLeave(place)
    expect(place).toHaveAttribute('data-over', 'false')
    fireEvent.dragOver(place)
    fireEvent.drop(screen.getByLabelText('Image'), { dataTransfer: { files: [imageOf('dropped.png')] } })
    expect(place).toHaveAttribute('data-over', 'false')
    expect(await screen.findByRole('img', { name: 'Preview of dropped.png' })).toBeVisible()
  })

  it('is pasted anywhere on the page [5.09]', async () => {
    draw()
    fireEvent.paste(document.body, { clipboardData: { files: [imageOf('image.png')] } })
    expect(await screen.findByRole('img', { name: 'Preview of image.png' })).toBeVisible()
  })

  it('leaves alone what is pasted as text', () => {
    draw()
    const text = new Event('paste', { bubbles: true, cancelable: true })
    expect(fireEvent(document.body, Object.assign(text, { clipboardData: { files: [] } }))).toBe(true)
    const image = new Event('paste', { bubbles: true, cancelable: true })
    expect(fireEvent(document.body, Object.assign(image, { clipboardData: { files: [imageOf('a', 4, '')] } }))).toBe(
      false,
    )
    expect(screen.getByText('Only image files are allowed.')).toBeVisible()
  })

  it('is not changed any more while it is being sent [5.09]', async () => {
    const { user } = draw(() => new Promise<null>(() => undefined))
    await user.upload(screen.getByLabelText('Image'), imageOf('shot.png'))
    await screen.findByRole('img', { name: 'Preview of shot.png' })
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    await waitFor(() => expect(screen.getByLabelText('Image')).toBeDisabled())
    expect(screen.getByRole('button', { name: 'Remove image' })).toBeDisabled()
    fireEvent.paste(document.body, { clipboardData: { files: [imageOf('a.png'), imageOf('b.png')] } })
    expect(screen.queryByText('Only single image upload allowed.')).not.toBeInTheDocument()
    expect(screen.getByRole('img', { name: 'Preview of shot.png' })).toBeVisible()
  })

  it('is said to be unreadable where the browser cannot read it [5.09]', async () => {
    const { user } = draw()
    const read = jest.spyOn(FileReader.prototype, 'readAsDataURL').mockImplementation(function (this: FileReader) {
      setTimeout(() => this.onerror?.(new ProgressEvent('error') as ProgressEvent<FileReader>))
    })
    await user.upload(screen.getByLabelText('Image'), imageOf('gone.png'))
    expect(await screen.findByText('The file cannot be read.')).toBeVisible()
    expect(screen.queryByRole('img', { name: /Preview/ })).not.toBeInTheDocument()
    read.mockRestore()
  })

  it('is refused with its sentence at the field, and what was there stays [5.09]', async () => {
    const { user } = draw()
    await user.upload(screen.getByLabelText('Image'), imageOf('shot.png'))
    await screen.findByRole('img', { name: 'Preview of shot.png' })
    fireEvent.drop(screen.getByLabelText('Image'), { dataTransfer: { files: [imageOf('a.png'), imageOf('b.png')] } })
    expect(await screen.findByText('Only single image upload allowed.')).toBeVisible()
    expect(screen.getByRole('img', { name: 'Preview of shot.png' })).toBeVisible()
  })

  it('is refused when its content is none, whatever its name says [5.09]', async () => {
    const { user } = draw()
    await user.upload(screen.getByLabelText('Image'), imageOf('text.png'))
    fireEvent.error(await screen.findByRole('img', { name: 'Preview of text.png' }))
    expect(screen.getByText('Only image files are allowed.')).toBeVisible()
    expect(screen.queryByRole('img', { name: /Preview/ })).not.toBeInTheDocument()
    await user.upload(screen.getByLabelText('Image'), imageOf('shot.png'))
    expect(await screen.findByRole('img', { name: 'Preview of shot.png' })).toBeVisible()
    expect(screen.queryByText('Only image files are allowed.')).not.toBeInTheDocument()
  })

  it('stays as it is when the picker is closed without a choice [5.09]', async () => {
    const { user } = draw()
    await user.upload(screen.getByLabelText('Image'), imageOf('shot.png'))
    await screen.findByRole('img', { name: 'Preview of shot.png' })
    fireEvent.change(screen.getByLabelText('Image'), { target: { files: [] } })
    expect(screen.queryByText('Only image files are allowed.')).not.toBeInTheDocument()
    expect(screen.getByRole('img', { name: 'Preview of shot.png' })).toBeVisible()
  })

  it('has a name where the clipboard gives none [3.10, 5.09]', async () => {
    draw()
    fireEvent.paste(document.body, { clipboardData: { files: [imageOf('')] } })
    expect(await screen.findByRole('img', { name: 'Preview of pasted-image.png' })).toBeVisible()
  })

  it('is gone after Clear [2.50, 5.09]', async () => {
    const { user } = draw()
    await user.upload(screen.getByLabelText('Image'), imageOf('shot.png'))
    await screen.findByRole('img', { name: 'Preview of shot.png' })
    fireEvent.drop(screen.getByLabelText('Image'), { dataTransfer: { files: [imageOf('a.png'), imageOf('b.png')] } })
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    expect(screen.queryByText('Only single image upload allowed.')).not.toBeInTheDocument()
    expect(screen.queryByRole('img', { name: /Preview/ })).not.toBeInTheDocument()
  })
})
