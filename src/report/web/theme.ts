// report: light, dark, or as the system says; kept for the next report that is opened.
import { h } from './dom';

type Theme = 'auto' | 'light' | 'dark';
const key = 'thalweg.theme';
const words: Record<Theme, string> = { auto: 'Auto', light: 'Light', dark: 'Dark' };

function kept(): Theme {
  try {
    const value = localStorage.getItem(key);
    return value === 'light' || value === 'dark' ? value : 'auto';
  } catch {
    return 'auto'; // a browser may refuse storage to files
  }
}

function keep(theme: Theme): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // then the choice lasts as long as the page
  }
}

export function themeChooser(): HTMLElement {
  const buttons = new Map<Theme, HTMLButtonElement>();
  const choose = (theme: Theme): void => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    for (const [name, button] of buttons) button.setAttribute('aria-pressed', String(name === theme));
  };
  for (const theme of ['auto', 'light', 'dark'] as Theme[])
    buttons.set(
      theme,
      h(
        'button',
        {
          type: 'button',
          click: () => {
            choose(theme);
            keep(theme);
          },
        },
        words[theme],
      ),
    );
  choose(kept());
  return h('div', { 'class': 'segmented', 'role': 'group', 'aria-label': 'Colours' }, ...buttons.values());
}
