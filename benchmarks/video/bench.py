# benchmarks: the video player's figures (the paper's Figures 10 and 11); examples/video/table measures them.
from harness.example import run_table

DESCRIPTION = "the video player: total and handler time by frame rate, time of one raise by event, code size"


def run(project, options):
    return run_table("video", project, options)
