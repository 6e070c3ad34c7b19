import { renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { App } from '../App.tsx'

let mockTries = 0
jest.mock('./ScanDetailScreen.tsx', () => {
  mockTries += 1
  if (mockTries === 1) throw new Error('Loading chunk 7 failed. (timeout)')
  return { ScanDetailScreen: () => <h1>The scan</h1> }
})

it('a scan opens although its script took too long at first [P26]', async () => {
  renderScreen(<App notFound={null} />, { at: '/scan/detail/o/1.2.3', answers: [] })
  expect(await screen.findByRole('heading', { name: 'The scan' })).toBeInTheDocument()
  expect(mockTries).toBe(2)
})
