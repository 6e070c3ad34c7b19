import { placeSettings } from '@dmp/kit/testing'
import { settings } from './settings.ts'

const place = (text: string) => {
  placeSettings()
  document.getElementById('dmp-settings')!.textContent = text
}

it('has the settings that the page names now, and says what is wrong with those that it cannot use', () => {
  const { clientId } = placeSettings()
  expect(settings().clientId).toBe(clientId)
  place('')
  expect(settings).toThrow('The page has no valid runtime settings: no #dmp-settings')
  place(JSON.stringify({ ...placeSettings(), clientId: 7 }))
  expect(settings).toThrow('The page has no valid runtime settings: clientId')
  document.getElementById('dmp-settings')?.remove()
  expect(settings).toThrow('no #dmp-settings')
  placeSettings({ clientId: 'another' })
  expect(settings().clientId).toBe('another')
})
