// report: a figure and its table twin: the same content, one of the two shown.
import { Child, h } from './dom';

export class Figure {
  readonly element: HTMLElement;
  private readonly buttons: HTMLButtonElement[];
  private readonly views: HTMLElement[];
  private twin: HTMLElement | null = null;

  // `table` is asked for the twin when it is first shown: a large one takes its time.
  constructor(
    title: string,
    graphic: HTMLElement,
    private readonly table: () => HTMLElement,
    ...tools: Child[]
  ) {
    this.views = [graphic, h('div', { class: 'twin', hidden: true })];
    this.buttons = ['Figure', 'Table'].map((word, index) =>
      h(
        'button',
        {
          'type': 'button',
          'aria-pressed': index === 0 ? 'true' : 'false',
          'click': () => this.show(index),
        },
        word,
      ),
    );
    this.element = h(
      'figure',
      {},
      h(
        'figcaption',
        {},
        h('h3', {}, title),
        h('div', { 'class': 'segmented', 'role': 'group', 'aria-label': `${title}: show as` }, ...this.buttons),
      ),
      ...tools,
      ...this.views,
    );
  }

  get showsTable(): boolean {
    return !this.views[1].hidden;
  }

  showFigure(): void {
    this.show(0);
  }

  private show(index: number): void {
    if (index === 1 && !this.twin) {
      this.twin = this.table();
      this.views[1].append(this.twin);
    }
    this.buttons.forEach((button, at) => button.setAttribute('aria-pressed', String(at === index)));
    this.views.forEach((view, at) => {
      view.hidden = at !== index;
    });
  }
}
